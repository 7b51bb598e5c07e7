"""Cancelling and progress, for scans that do not know who asked."""

from __future__ import annotations

import threading

import pytest

from pe_desktop.core.work import Cancelled, checkpoint, task, watched


@pytest.fixture
def stop():
    return threading.Event()


def test_nobody_watches():
    with task("Counting"):
        checkpoint(0.5)
        checkpoint()


def test_shares_and_names(stop):
    shares, names = [], []
    with watched(stop, shares.append, names.append):
        with task("Outer"):
            checkpoint(0.1)
            with task("Inner"):
                checkpoint(0.2)
                checkpoint()
            checkpoint(0.3)
        checkpoint(0.4)
    assert shares == [0.1, 0.2, 0.3, 0.4]
    assert names == ["Outer", "Inner", "Outer"]


def test_watching_ends_with_its_block(stop):
    shares, names = [], []
    with watched(stop, shares.append, names.append):
        pass
    stop.set()
    with task("Later"):
        checkpoint(1.0)
    assert shares == names == []


def test_the_outer_watch_is_back_after_an_inner_one(stop):
    outer, inner = [], []
    with watched(stop, outer.append):
        with watched(threading.Event(), inner.append):
            stop.set()
            checkpoint(0.5)
        with pytest.raises(Cancelled):
            checkpoint(0.6)
    assert (outer, inner) == ([], [0.5])


def test_called_off(stop):
    names = []
    with watched(stop, None, names.append), task("Outer"):
        stop.set()
        with pytest.raises(Cancelled), task("Inner"):
            pytest.fail("work began that nobody wants")
    assert names == ["Outer"]
    with watched(stop), pytest.raises(Cancelled):
        checkpoint()


def test_a_name_ends_with_its_work_also_where_that_breaks(stop):
    names = []
    with watched(stop, None, names.append), task("Outer"), pytest.raises(ZeroDivisionError), task("Inner"):
        raise ZeroDivisionError
    assert names == ["Outer", "Inner", "Outer"]


def test_threads_do_not_hear_each_other(stop):
    heard = []

    def other():
        with task("Elsewhere"):
            checkpoint(0.9)

    with watched(stop, heard.append, heard.append):
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
    assert heard == []
