"""Random requests (after a warm-up) with the window open: nothing raised, leaked, or wrong on screen."""

from __future__ import annotations

import gc
import random
import sys

from PySide6.QtWidgets import QApplication

from tests.soak_requests import random_request

REQUESTS = 2600
WARM = 2100  # by then every scheme has been shown and the undo stack is full; 500 more are measured
UNDO_LIMIT = 20
# What caches may still add; a leak of one reference per request, or a release that steals them, is beyond it.
FEW = 150


def test_random_requests(person):
    person.lab.undo_stack.setUndoLimit(UNDO_LIMIT)
    rng = random.Random(7)
    broken = []
    person.lab.broke.connect(broken.append)
    references = 0
    for number in range(REQUESTS):
        if number == WARM:
            gc.collect()
            references = sys.getrefcount(None)
        before = person.lab.state
        accepted = person.lab.request(**random_request(rng, before))
        assert accepted or person.lab.state == before
        QApplication.processEvents()
        assert person.lab.snapshot.state == person.lab.state
    gc.collect()
    assert abs(sys.getrefcount(None) - references) < FEW
    assert broken == []
    person.settle()
    assert person.lab.snapshot.readouts.exact
    while person.lab.undo_stack.canUndo():
        before = person.lab.state
        person.lab.undo()
        assert person.lab.state != before
    person.settle()
    assert person.lab.snapshot.state == person.lab.state
