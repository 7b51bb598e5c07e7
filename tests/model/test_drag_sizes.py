"""A view that changes its size in the middle of a drag costs no second snapshot, and gets its picture all the same."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication

from pe_desktop.model.lab import Lab

SHOWN = {"matrix": (200, 300), "curve": 300}


def made(lab):
    seen = []
    lab.snapshot_ready.connect(seen.append)
    return seen


def test_another_size_waits_for_the_next_step_or_for_stillness(qapp, qtbot):
    lab = Lab()
    lab.set_viewport(**SHOWN)
    QApplication.processEvents()
    lab.begin_drag()
    lab.request(length=5000)
    QApplication.processEvents()
    seen = made(lab)
    lab.set_viewport(matrix=(200, 290))
    QApplication.processEvents()
    assert seen == []
    assert lab.busy
    lab.request(length=5100)
    QApplication.processEvents()
    assert len(seen) == 1
    assert seen[0].matrix.columns.number <= 290
    lab.set_viewport(matrix=(100, 290))
    qtbot.waitUntil(lambda: not lab.busy)
    assert lab.snapshot.matrix.rows.number == 100
    lab.end_drag()
    lab.close()


def test_the_end_of_the_drag_brings_it_at_once(qapp, qtbot):
    lab = Lab()
    lab.set_viewport(**SHOWN)
    lab.begin_drag()
    lab.request(length=5000)
    QApplication.processEvents()
    lab.set_viewport(matrix=(150, 300))
    lab.end_drag()
    qtbot.waitUntil(lambda: not lab.busy)
    assert lab.snapshot.matrix.rows.number == 150
    lab.close()


def test_a_view_that_comes_into_sight_does_not_wait(qapp):
    lab = Lab()
    lab.set_viewport(matrix=(0, 0), curve=300)
    QApplication.processEvents()
    lab.begin_drag()
    seen = made(lab)
    lab.set_viewport(matrix=(120, 200))
    QApplication.processEvents()
    assert [snapshot.matrix.rows.number for snapshot in seen] == [120]
    lab.close()
