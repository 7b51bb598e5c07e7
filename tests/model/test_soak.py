"""Random requests, impossible ones among them, as an impatient person makes them."""

from __future__ import annotations

import random

import pytest

from pe_desktop.core.parts import Cursor
from pe_desktop.core.state import LabState
from pe_desktop.model.lab import Lab
from tests.soak_requests import every_scheme, random_request, references_to_none

# A binding that takes or keeps a reference to None per call (PySide6 6.12.0 takes one) moves the count by one or more
# per request.
REQUESTS = 500
DRIFT = 150


@pytest.fixture
def lab(qapp):
    lab = Lab()
    lab.undo_stack.setUndoLimit(0)  # no limit: the test goes all the way back
    yield lab
    lab.close()
    lab.deleteLater()


def restless(lab, rng, qapp, count):
    """Requests with drags, cursors, undo and turns of the event loop between them."""
    for number in range(count):
        if rng.random() < 0.1:
            lab.begin_drag()
        lab.request(**random_request(rng, lab.state))
        if rng.random() < 0.1:
            lab.end_drag()
        if rng.random() < 0.2:
            lab.set_cursor(Cursor(rng.choice(["matrix", "similarity", "rotation", "attention"]), *range(5)))
        if rng.random() < 0.05:
            lab.undo()
        if number % 5 == 0:
            qapp.processEvents()


@pytest.mark.parametrize("seed", [1, 2])
def test_500_requests(lab, qapp, qtbot, seed):
    rng = random.Random(seed)
    refused, broken, shown = [], [], []
    lab.failed.connect(refused.append)
    lab.broke.connect(broken.append)
    lab.snapshot_ready.connect(shown.append)
    for request in every_scheme():  # imports what is imported late
        lab.request(**request)
        qapp.processEvents()
    restless(lab, rng, qapp, 50)
    qtbot.waitUntil(lambda: not lab.busy, timeout=60_000)
    shown.clear()
    refused.clear()
    before = references_to_none(lab)
    restless(lab, rng, qapp, REQUESTS)
    lab.end_drag()
    qtbot.waitUntil(lambda: not lab.busy, timeout=60_000)
    last, index = lab.state, lab.undo_stack.index()
    assert broken == []
    assert len(refused) > 50
    assert len(shown) > 50
    assert lab.snapshot.state == last
    assert lab.snapshot.readouts.exact
    while lab.undo_stack.canUndo():
        lab.undo()
    assert lab.state == LabState()
    while lab.undo_stack.index() < index:  # what was undone on the way stays undone
        lab.redo()
    assert lab.state == last
    shown.clear()
    refused.clear()
    assert abs(references_to_none(lab) - before) < DRIFT
