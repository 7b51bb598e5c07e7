"""10,000 random requests with the window open: nothing raised, nothing leaked."""

from __future__ import annotations

import random
import sys

from PySide6.QtCore import qInstallMessageHandler

from pe_desktop.core.state import LabState
from tests.benchmarks.bench_window import BenchWindow
from tests.benchmarks.figures import Check, Options, Section, figure, timed
from tests.benchmarks.memory import memory
from tests.soak_requests import every_scheme, random_request, references_to_none

REQUESTS = 10_000
WARM = 2_000  # requests after which caches are full


def measure(options: Options) -> list[Section]:
    """Time per request, and growth from request 2,000 to 10,000."""
    messages: list[str] = []
    broken: list[BaseException] = []
    qInstallMessageHandler(lambda kind, context, message: messages.append(message))
    bench = BenchWindow(LabState(), options.folder / "soak.ini")
    bench.lab.broke.connect(broken.append)
    sys.excepthook = lambda kind, error, trace: broken.append(error)
    rng = random.Random(1)
    seconds, references, sizes = [], 0, 0.0

    def request() -> None:
        bench.lab.request(**random_request(rng, bench.lab.state))
        bench.app.processEvents()

    for asked in every_scheme():  # makes every widget there is to make
        bench.lab.request(**asked)
        bench.app.processEvents()
    for number in range(REQUESTS):
        if number == WARM:
            references, sizes = references_to_none(bench.lab), memory()
        seconds.append(timed(request))
    bench.settle()
    growth = references_to_none(bench.lab) - references
    more = memory() - sizes
    unexpected = [m for m in messages if not m.startswith("This plugin does not support")]
    bench.close()
    rows = [figure("one random request, painted", seconds)]
    checks = [
        Check("exceptions", len(broken), 0),
        Check("unexpected Qt lines", len(unexpected), 0),
        Check("references to None lost or gained", abs(growth), 2_000),
        Check(f"memory grown over {REQUESTS - WARM:,} requests, MB", more, 30.0),
    ]
    return [Section(f"{REQUESTS:,} random requests with the window open", rows, checks)]
