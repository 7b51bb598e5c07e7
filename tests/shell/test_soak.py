"""Five hundred random requests with the window open: nothing raised, nothing leaked, nothing wrong on screen."""

from __future__ import annotations

import random
import sys

from tests.soak_requests import random_request

REQUESTS = 500
# A bound method or a frame may hold a few more; the PySide6 release this watches for loses thousands.
FEW = 500


def test_random_requests(person, qtbot):
    rng = random.Random(7)
    broken = []
    person.lab.broke.connect(broken.append)
    references = sys.getrefcount(None)
    for number in range(REQUESTS):
        before = person.lab.state
        accepted = person.lab.request(**random_request(rng, before))
        assert accepted or person.lab.state == before
        qtbot.waitUntil(lambda: not person.lab._soon.isActive())
        assert person.lab.snapshot.state == person.lab.state
        if number % 50 == 0:
            person.window.grab()
    person.settle()
    assert broken == []
    assert person.lab.snapshot.readouts.exact
    assert abs(sys.getrefcount(None) - references) < FEW
    while person.lab.undo_stack.canUndo():
        person.lab.undo()
    person.settle()
    assert person.lab.snapshot.state == person.lab.state
