"""A thousand requests for inverse frequencies in one process, against the same arithmetic in a bare numpy loop."""

from __future__ import annotations

import functools
import json
import subprocess
import sys
from pathlib import Path

from tests.benchmarks.figures import Check, Options, Section, figure, timed

RUNS, REQUESTS = 7, 1000
LIMIT = 2.0
KINDS = ("none", "yarn", "llama3", "linear", "ntk")
# The same numbers for the same lines, without a scheme, a check or a refusal anywhere.
BARE = """
import json, math, sys
import numpy as np
for line in open(sys.argv[1], encoding="utf-8"):
    request = json.loads(line)
    params, width = request["params"], request["dimension"]
    base, kind, s = params["base"], params.get("extension", "none"), params.get("factor", 1.0)
    pairs = np.arange(width // 2)
    if kind == "ntk":
        base *= s ** (width / (width - 2))
    theta = base ** (-2.0 * pairs / width)
    if kind == "linear":
        theta = theta / s
    elif kind in ("yarn", "llama3"):
        n = params["original_length"]
        if kind == "yarn":
            low, high = (width * math.log(n / (t * 2 * math.pi)) / (2 * math.log(base)) for t in (32, 1))
            share = np.clip((pairs - math.floor(low)) / (math.ceil(high) - math.floor(low)), 0.0, 1.0)
        else:
            share = 1.0 - np.clip((n * theta / (2 * math.pi) - 1.0) / 3.0, 0.0, 1.0)
        theta = theta * (1.0 - share) + theta / s * share
    sys.stdout.write(json.dumps({"values": theta.tolist()}, allow_nan=False) + "\\n")
"""
OURS = "from pe_desktop.cli import main; raise SystemExit(main())"


def _requests(path: Path) -> None:
    with path.open("w", encoding="utf-8") as file:
        for number in range(REQUESTS):
            kind = KINDS[number % len(KINDS)]
            params: dict[str, object] = {"base": 10000.0 + number}
            if kind != "none":
                params |= {"extension": kind, "factor": 2.0 + number % 7}
            if kind in ("yarn", "llama3"):
                params["original_length"] = 8192
            request = {"scheme": "rope", "params": params, "dimension": 128, "length": 4096, "what": "inv_freq"}
            file.write(json.dumps(request) + "\n")


def _run(arguments: list[str]) -> bytes:
    done = subprocess.run([sys.executable, "-c", *arguments], capture_output=True, check=True, timeout=120)
    return done.stdout


def _answers(arguments: list[str]) -> list[list[float]]:
    return [json.loads(line)["values"] for line in _run(arguments).splitlines()]


def measure(options: Options) -> list[Section]:
    """Figures of both ways, and of each with a single request (its start-up); the four take turns."""
    requests, single = options.folder / "requests.jsonl", options.folder / "single.jsonl"
    _requests(requests)
    single.write_text(requests.read_text().splitlines()[0] + "\n")
    ways = {
        "bare loop": [BARE, str(requests)],
        "bare loop, one request": [BARE, str(single)],
        "values --batch": [OURS, "values", "--batch", str(requests)],
        "values --batch, one request": [OURS, "values", "--batch", str(single)],
    }
    bare, ours = _answers(ways["bare loop"]), _answers(ways["values --batch"])
    worst = max(abs(a / b - 1) for rows in zip(bare, ours, strict=True) for a, b in zip(*rows, strict=True))
    assert worst < 1e-12, worst
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(RUNS):
        for name, arguments in ways.items():
            times[name].append(timed(functools.partial(_run, arguments)))
    rows = {name: figure(name, times[name]) for name in ways}
    loop = rows["bare loop"].median - rows["bare loop, one request"].median
    spent = rows["values --batch"].median - rows["values --batch, one request"].median
    check = Check("1,000 requests / bare loop, both without start-up", spent / loop, LIMIT)
    return [Section("1,000 inverse frequencies in one process", list(rows.values()), [check])]
