"""One recorder for all golden tests of a run."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.core.recorded import VARIABLE, Recorder

_RECORDER = pytest.StashKey[Recorder]()
_DESELECTED = pytest.StashKey[bool]()


def pytest_configure(config):
    config.stash[_RECORDER] = Recorder()


def pytest_deselected(items):
    if items:
        items[0].config.stash[_DESELECTED] = True


def pytest_collection_modifyitems(items):
    """What looks at all findings runs last."""
    items.sort(key=lambda item: item.path.name == "test_recorded.py")


def pytest_sessionfinish(session, exitstatus):
    path = os.environ.get(VARIABLE)
    if path and exitstatus == pytest.ExitCode.OK:
        session.config.stash[_RECORDER].write(Path(path))


@pytest.fixture(scope="session")
def golden_record(request):
    """See :class:`tests.core.recorded.Recorder`."""
    return request.config.stash[_RECORDER]


@pytest.fixture
def all_found(request):
    """The recorder, if this run holds every golden test; else None. A worker of several runs only a part of them."""
    config = request.config
    if hasattr(config, "workerinput"):
        return None
    golden = set(Path(__file__).parent.glob("test_golden_*.py"))
    narrowed = config.stash.get(_DESELECTED, False) or any("::" in argument for argument in config.args)
    whole = golden <= {item.path for item in request.session.items} and not narrowed
    return config.stash[_RECORDER] if whole else None
