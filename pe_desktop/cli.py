"""The command line: the same core as the window, and no screen needed."""

from __future__ import annotations

import contextlib
import gc
import io
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from pe_desktop.core.errors import FieldError

if TYPE_CHECKING:
    import numpy as np

# Options of a state that no answer of values depends on: refused, so that nobody takes them for used.
UNUSED_BY_VALUES = (
    "key_position",
    "seed",
    "sentence",
    "swap",
    "causal",
    "compare",
    "compare_assignments",
    "precision",
    "experiment",
    "experiment_assignments",
)
LONGEST_LINE = 1 << 24


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    argv : sequence of str
        Arguments without the program's name; default: those of the process.

    Returns
    -------
    int
        Exit code: 0, or 2 after one line on standard error.
    """
    argv = list(sys.argv[1:] if argv is None else argv)
    # Before numpy is there: with two threads a small matrix product waits 20 ms for the other core if that is busy.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    _use_utf8()
    try:
        code = _dispatch(argv)
        sys.stdout.flush()
        return code
    except FieldError as error:
        print(f"pe-desktop: error: {' '.join(error.message.split())}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader (head, less) has seen enough
        _write_no_more()
        return 0
    except OSError as error:
        _write_no_more()
        print(f"pe-desktop: error: Writing failed: {_reason(error)}.", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("pe-desktop: error: Interrupted.", file=sys.stderr)
        return 2


def _reason(error: OSError | ValueError) -> str:
    return (getattr(error, "strerror", None) or str(error)).lower()


def _write_no_more() -> None:
    """Keep Python from complaining, while it shuts down, about what it could not write."""
    with contextlib.suppress(OSError):  # a stream without a descriptor has nothing to complain about
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _use_utf8() -> None:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")


def _dispatch(argv: list[str]) -> int:
    if not argv:  # the plain start; it does without the grammar, which takes some milliseconds to load
        from pe_desktop.app import run
        from pe_desktop.core.state import LabState

        return run(LabState(), None)
    from pe_desktop import arguments

    if argv[0] in arguments.DESCRIPTIONS:
        options = arguments.verb_parser(argv[0]).parse_args(argv[1:])
        return _VERBS[argv[0]](options)
    options = arguments.window_parser().parse_args(argv)
    if options.file and not Path(options.file).suffix and not Path(options.file).exists():
        verbs = ", ".join(arguments.DESCRIPTIONS)
        raise FieldError("file", f"{options.file!r} is neither a verb nor a file; the verbs are {verbs}.")
    if options.file and options.session:
        raise FieldError("file", "Both FILE and --session name a session; give one of them.")
    from pe_desktop import lesson_verb

    lesson, step = lesson_verb.opened(options)
    options.session = options.session or options.file
    state = arguments.state_from(options) if lesson is None else lesson.steps[step].state
    from pe_desktop.app import run  # Qt only where a window is wanted

    return run(state, options.theme) if lesson is None else run(state, options.theme, lesson=lesson, step=step)


def _values(options: Any) -> int:
    from pe_desktop import arguments
    from pe_desktop.core import values_window
    from pe_desktop.core.score_bias import ScoreBias
    from pe_desktop.core.values import ANSWERS, answer, jsonable

    if options.batch:
        _refuse_beside_batch(options)
        return _batch(options.batch)
    state = arguments.state_from(options)
    is_window = options.what in values_window.WHAT
    arguments.refuse_unused(options, "values", UNUSED_BY_VALUES if is_window else (*UNUSED_BY_VALUES, "head"))
    if not options.what:
        raise FieldError("what", f"--what is missing; it must be one of {', '.join(ANSWERS)}.")
    request: dict[str, Any] = {
        "scheme": state.scheme,
        "params": dict(state.params.get(state.scheme, {})),
        "dimension": state.dimension,
        "length": state.length,
        "what": options.what,
    }
    if not is_window or options.position is not None:
        request["position"] = state.position
    if options.head is not None or (is_window and isinstance(state.built, ScoreBias)):
        request["head"] = state.head
    for name in (
        "positions",
        "key_positions",
        "offsets",
        "arithmetic",
        "role",
        "rows",
        "columns",
        "pixels",
        "statistic",
    ):
        if getattr(options, name) is not None:
            request[name] = getattr(options, name)
    for name in ("q", "k", "vectors", "coordinates"):
        if getattr(options, name) is not None:
            request[name] = _json_list(name, getattr(options, name))
    result = answer(request)
    if options.out:
        save_array(options.out, result["values"])
    elif options.csv:
        sys.stdout.write(_csv(result["values"]))
    elif options.json:
        print(json.dumps(jsonable(result), allow_nan=False))
    else:
        _print_plain(result)
    return 0


def _refuse_beside_batch(options: Any) -> None:
    """A batch takes everything from its lines and writes JSON; what cannot have an effect is refused."""
    from pe_desktop import arguments

    beside = set(vars(options)) - {"batch", "json"}
    arguments.refuse_unused(options, "values --batch", tuple(sorted(beside)))


def _json_list(name: str, text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FieldError(name, f"--{name} got {text[:40]!r}; it must be a JSON list such as [1, 0.5].") from error


def _print_plain(result: dict[str, Any]) -> None:
    shape = " × ".join(map(str, result["shape"])) or "one number"
    print(f"# {result['scheme']} {result['what']} ({result['unit']}), {shape}")
    for name in result.get("idle", ()):
        print(f"# {name} plays no part with these parameters")
    for note in result.get("notes", ()):
        print(f"# {note}")
    sys.stdout.write(_csv(result["values"], " "))


def _csv(values: np.ndarray, separator: str = ",") -> str:
    """Rows of the last axis; numbers in full, so that they read back to the same float64."""
    rows = values.reshape(-1, values.shape[-1] if values.ndim > 1 else 1)
    return "".join(separator.join(map(repr, row)) + "\n" for row in rows.tolist())


def save_array(path: str, values: np.ndarray) -> None:
    """Write a numpy file; an old one stays whole on failure."""
    import numpy as np

    from pe_desktop.safe_file import replacing

    target = Path(path)
    if target.suffix != ".npy":
        raise FieldError("out", f"--out is {path!r}; the file must end in .npy.")
    with replacing(target, "out") as temporary:
        np.save(temporary, values)


def _batch(path: str) -> int:
    if path == "-":
        _answer_lines(sys.stdin)
        return 0
    try:
        file = open(path, encoding="utf-8-sig", errors="replace")  # noqa: SIM115  (closed below)
    except (OSError, ValueError) as error:
        raise FieldError("batch", f"{path} cannot be read: {_reason(error)}.") from error
    with file:
        _answer_lines(file)
    return 0


def _answer_lines(lines: TextIO) -> None:
    """One result a line; a request that cannot be answered says why on its own line."""
    from pe_desktop.core.values import answer, jsonable

    gc.freeze()  # what is loaded stays; the collector need not look through it again and again
    while line := lines.readline(LONGEST_LINE):
        if not line.strip():
            continue
        try:
            result = jsonable(answer(json.loads(line)))
        except FieldError as error:
            result = {"error": error.message, "field": error.field}
        except (ValueError, RecursionError) as error:
            result = {"error": f"The line is not a JSON object: {error}.", "field": "request"}
        sys.stdout.write(json.dumps(result, allow_nan=False) + "\n")


def _readouts(options: Any) -> int:
    from pe_desktop import arguments
    from pe_desktop.core.part_experiment import experiment_json, experiment_part
    from pe_desktop.core.part_precision import precision_json
    from pe_desktop.core.part_readouts import properties_json, readouts_json
    from pe_desktop.core.parts import Viewport
    from pe_desktop.core.snapshot import compute

    state = arguments.state_from(options)
    snapshot = compute(state)
    experiment = options.experiment or options.experiment_assignments
    sentences = {name: getattr(snapshot, name).sentence for name in ("matrix", "similarity", "rotation", "attention")}
    if options.json:
        found = {
            "state": state.to_json(),
            "readouts": readouts_json(snapshot.readouts),
            "properties": properties_json(snapshot.readouts),
            "sentences": sentences,
            **({} if snapshot.compare is None else {"compare": snapshot.compare.sentence}),
            **({"notes": list(snapshot.notes)} if snapshot.notes else {}),
            **({"precision": precision_json(state)} if state.precision != type(state.precision)() else {}),
            **({"experiment": experiment_json(state)} if experiment else {}),
        }
        print(json.dumps(found, allow_nan=False, ensure_ascii=False))
        return 0
    width = max(len(readout.label) for readout in snapshot.readouts.readouts)
    for readout in snapshot.readouts.readouts:
        print(f"{readout.label:<{width}}  {readout.text}{'   ' + readout.note if readout.note else ''}")
    print()
    for light in snapshot.readouts.properties:
        mark = {True: "●", False: "○", None: "–"}[light.holds]
        print(f"{mark} {light.label:<{width}}  {light.evidence}")
    print()
    for name, sentence in sentences.items():
        print(f"{name}: {sentence}")
    if snapshot.compare is not None:
        print(f"compare: {snapshot.compare.sentence}")
    if state.precision != type(state.precision)():
        found = precision_json(state)
        print("\n".join([f"precision: {found['sentence']}", *(f"{k}: {v}" for k, v in found["figures"].items())]))
    if experiment:
        part = experiment_part(state, Viewport())
        print("\n".join([f"experiment {part.id}: {part.sentence}", *(f"{f.label}: {f.text}" for f in part.figures)]))
    return 0


def _compare(options: Any) -> int:
    from pe_desktop import comparing

    return comparing.run(options)


def _lessons(options: Any) -> int:
    from pe_desktop import lesson_verb

    return lesson_verb.run(options)


def _render(options: Any) -> int:
    from pe_desktop import arguments, lesson_verb

    lesson, step = lesson_verb.opened(options)
    state = arguments.state_from(options) if lesson is None else lesson.steps[step].state
    if options.view != "window":
        arguments.refuse_unused(options, f"a picture of the {options.view}", ("lesson", "step", "present"))
    size = arguments.size_from(options.size)
    if Path(options.out).suffix.lower() not in arguments.FORMATS:
        raise FieldError("out", f"--out is {options.out!r}; the file must end in .png, .svg or .pdf.")
    from pe_desktop.app import Scene, render

    scene = Scene(options.view, size, options.theme, lesson, step, options.present)
    render(state, options.out, scene)
    print(options.out)
    return 0


def _schemes(options: Any) -> int:
    from pe_desktop.core import catalogue

    found = catalogue.table(options.id)
    if options.json:
        print(json.dumps(found, allow_nan=False, ensure_ascii=False))
    else:
        print(catalogue.text(found, detailed=bool(options.id)))
    return 0


def _doctor(options: Any) -> int:
    from pe_desktop import doctor

    report = doctor.report()
    print(json.dumps(report, indent=2, allow_nan=False) if options.json else doctor.text(report))
    return 0


_VERBS = {
    "values": _values,
    "readouts": _readouts,
    "compare": _compare,
    "schemes": _schemes,
    "render": _render,
    "lessons": _lessons,
    "doctor": _doctor,
}
