"""Random requests (after a warm-up) with the window open: nothing raised, leaked, or wrong on screen."""

from __future__ import annotations

import random

from PySide6.QtWidgets import QApplication

from tests.soak_requests import every_scheme, random_request, references_to_none

REQUESTS = 600
WARM = 100  # by then the undo stack is full too; 500 more are measured
UNDO_LIMIT = 20
# What undo entries and half-typed texts may add; a leak of one reference per request, or a release that steals them,
# is beyond it.
FEW = 150


def test_random_requests(person):
    person.lab.undo_stack.setUndoLimit(UNDO_LIMIT)
    rng = random.Random(7)
    broken = []
    person.lab.broke.connect(broken.append)
    references = 0
    for request in every_scheme():  # makes every widget there is to make
        person.lab.request(**request)
        QApplication.processEvents()
    for number in range(REQUESTS):
        if number == WARM:
            references = references_to_none(person.lab)
        before = person.lab.state
        accepted = person.lab.request(**random_request(rng, before))
        assert accepted or person.lab.state == before
        QApplication.processEvents()
        assert person.lab.snapshot.state == person.lab.state
    assert broken == []
    person.settle()
    assert person.lab.snapshot.readouts.exact
    while person.lab.undo_stack.canUndo():
        before = person.lab.state
        person.lab.undo()
        assert person.lab.state != before
    person.settle()
    assert person.lab.snapshot.state == person.lab.state
    grown = references_to_none(person.lab) - references
    assert abs(grown) < FEW, grown
