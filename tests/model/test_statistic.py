"""Lowest and highest follow from the worker; the window never waits for them."""

from __future__ import annotations

import pytest

from pe_desktop.core.state import LabState
from pe_desktop.model.lab import Lab

LONG = LabState().change({"length": 1_048_576, "dimension": 8192})


@pytest.fixture
def lab(qtbot):
    made = Lab(LONG)
    made.set_viewport(shown=frozenset({"scores"}), matrix=(300, 300), scores=(200, 200))
    qtbot.waitUntil(lambda: made.snapshot is not None and not made.busy, timeout=60_000)
    yield made
    made.close()


@pytest.mark.parametrize(("field", "part"), [("statistic", "matrix"), ("score_statistic", "scores")])
def test_a_picture_is_there_at_once_and_the_wanted_one_follows(lab, qtbot, field, part):
    seen = []
    lab.snapshot_ready.connect(seen.append)
    lab.set_viewport(**{field: "lowest"})
    qtbot.waitUntil(lambda: bool(seen) and not lab.busy, timeout=60_000)
    parts = [snapshot.part(part) for snapshot in seen]
    assert not parts[0].exact
    assert parts[0].values.size
    assert parts[-1].exact
    assert parts[-1].statistic == "lowest"
    assert parts[-1].values.min() < 0
