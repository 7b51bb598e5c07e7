"""The command line's grammar: verbs, and the options that describe a state."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from pe_desktop import __version__
from pe_desktop.core.errors import FieldError
from pe_desktop.core.numbers import parse_number
from pe_desktop.session_file import open_session
from pe_desktop.view_names import VIEW_NAMES

if TYPE_CHECKING:  # the verb doctor must answer even where numpy, which the state needs, is broken
    from pe_desktop.core.state import LabState

THEME_NAMES = ("light", "dark", "projector")
LISTS = ("--positions", "--key-positions", "--offsets")
NEGATIVE = re.compile(r"-\d")
FORMATS = (".png", ".svg", ".pdf")
NUMBERS = {
    "dimension": "model dimension, 2 to 8192",
    "length": "sequence length, 2 to 1048576",
    "position": "inspected spot, from 0",
    "key_position": "second spot (the key), from 0",
    "head": "attention head, from 0",
    "seed": "seed of the toy attention",
}


# Options that are kept under another name than their own.
SHOWN = {
    "assignments": "set",
    "compare_assignments": "compare-set",
    "experiment_assignments": "experiment-set",
}


class Parser(argparse.ArgumentParser):
    """Refuses in one line, as everything on this command line does."""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Take a list such as -300:301 for the value it is, not for an option."""
        return super().parse_known_args(None if args is None else _with_negatives(args), namespace)

    def error(self, message: str) -> NoReturn:
        """Raise instead of printing usage."""
        raise FieldError("command line", f"{message[:1].upper()}{message[1:]}; see pe-desktop --help.")


def _with_negatives(args: Sequence[str]) -> list[str]:
    """Arguments in which a value that begins with a minus is tied to its option."""
    out: list[str] = []
    for text in args:
        if out and out[-1] in LISTS and NEGATIVE.match(text):
            out[-1] += f"={text}"
        else:
            out.append(text)
    return out


def state_options() -> Parser:
    """A parent parser with the options that describe a state."""
    parser = Parser(add_help=False, allow_abbrev=False)
    group = parser.add_argument_group("state options")
    group.add_argument("--scheme", metavar="ID", help="encoding; pe-desktop schemes lists them")
    for name, text in NUMBERS.items():
        group.add_argument(f"--{name.replace('_', '-')}", dest=name, metavar="N", help=text)
    group.add_argument("--sentence", metavar="TEXT", help="words separated by spaces")
    group.add_argument(
        "--swap",
        nargs="?",
        const="",
        metavar="I,J",
        help="exchange two words; counted from 0, without I,J a fitting pair is chosen",
    )
    group.add_argument("--causal", action="store_true", help="causal mask")
    group.add_argument(
        "--set",
        dest="assignments",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="scheme parameter; a list as JSON",
    )
    group.add_argument("--compare", metavar="ID", help="second encoding, to be compared with; '' ends comparing")
    group.add_argument(
        "--compare-set",
        dest="compare_assignments",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="parameter of the second encoding",
    )
    group.add_argument(
        "--precision",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="number formats under study: preset, positions, frequencies, angles, tables; tolerance, count",
    )
    group.add_argument("--experiment", metavar="ID", help="what the Experiment view shows")
    group.add_argument(
        "--experiment-set",
        dest="experiment_assignments",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="parameter of the experiment",
    )
    group.add_argument("--session", metavar="FILE", help="start from a saved session (.pelab)")
    return parser


def refuse_unused(options: argparse.Namespace, verb: str, names: tuple[str, ...]) -> None:
    """Refuse options that a verb would silently leave out of account."""
    for name in names:
        if getattr(options, name, None) not in (None, False, []):
            shown = SHOWN.get(name, name.replace("_", "-"))
            raise FieldError(name, f"--{shown} plays no part in {verb}; leave it out.")


def window_parser() -> Parser:
    """The grammar without a verb: open the window."""
    parser = Parser(
        prog="pe-desktop",
        parents=[state_options()],
        allow_abbrev=False,
        description="A laboratory for positional encodings. Without a verb it opens the window.",
        epilog="Verbs: values, readouts, compare, schemes, render, lessons, doctor; see pe-desktop VERB --help.",
    )
    parser.add_argument("file", nargs="?", metavar="FILE", help="session (.pelab) or lesson (.pelesson) to open")
    parser.add_argument("--lesson", metavar="NAME", help="lesson to open; pe-desktop lessons lists them")
    parser.add_argument("--step", metavar="N", help="step of the lesson to begin with, from 1")
    parser.add_argument("--theme", choices=THEME_NAMES, help="look of the window")
    parser.add_argument("--version", action="version", version=f"pe-desktop {__version__}")
    return parser


def verb_parser(verb: str) -> Parser:
    """The grammar of one verb."""
    parents = [] if verb in ("doctor", "compare", "schemes", "lessons") else [state_options()]
    parser = Parser(prog=f"pe-desktop {verb}", parents=parents, allow_abbrev=False, description=DESCRIPTIONS[verb])
    _ADD[verb](parser)
    return parser


def _add_values(parser: Parser) -> None:
    parser.add_argument("--what", help="which number: encoding, inv_freq, angles, bias, …")
    parser.add_argument("--positions", help="such as 0,1,5:20:5; default: all")
    parser.add_argument("--key-positions", help="keys, for bias and scores; default: the positions")
    parser.add_argument("--offsets", help="for buckets, such as -300:301; default: all")
    parser.add_argument("--arithmetic", metavar="FORMAT", help="float64 (default), or float32 as libraries compute")
    for name, ends in (("rows", "cells such as 0:1048576"), ("columns", "cells such as 0:64")):
        parser.add_argument(f"--{name}", metavar="LOW:HIGH", help=f"for window and score_window: {ends}; default: all")
    parser.add_argument("--pixels", metavar="ROWSxCOLUMNS", help="pixels of a window, such as 420x430; default: cells")
    parser.add_argument("--statistic", metavar="NAME", help="of what a pixel covers: mean (default), lowest, highest")
    parser.add_argument("--role", metavar="ROLE", help="query (default) or key: what the vectors of rotate are")
    for name in ("q", "k", "vectors", "coordinates"):
        parser.add_argument(f"--{name}", metavar="JSON", help=f"the given {name}, a JSON list of numbers")
    parser.add_argument(
        "--batch",
        metavar="FILE",
        help="answer one JSON request a line, errors on their line, blank lines passed over; - reads standard input",
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print JSON")
    form.add_argument("--csv", action="store_true", help="print comma-separated values")
    form.add_argument("--out", metavar="FILE.npy", help="write a numpy file")


def _add_readouts(parser: Parser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON")


def _add_compare(parser: Parser) -> None:
    form = "scheme such as rope:extension=linear,factor=8, JSON object, or session (.pelab)"
    parser.add_argument("a", metavar="A", help=form)
    parser.add_argument("b", metavar="B", help="the same")
    for name in ("dimension", "length"):
        parser.add_argument(f"--{name}", metavar="N", help=f"{NUMBERS[name]}, where A or B does not say")
    parser.add_argument("--positions", help="where to tell the difference, such as 0,1,5:20:5")
    parser.add_argument("--json", action="store_true", help="print JSON")


def _add_schemes(parser: Parser) -> None:
    parser.add_argument("id", nargs="?", metavar="ID", help="the one scheme to tell of, with all about its parameters")
    parser.add_argument("--json", action="store_true", help="print JSON")


def _add_render(parser: Parser) -> None:
    parser.add_argument("--out", required=True, metavar="FILE", help="picture to write: .png, .svg or .pdf")
    parser.add_argument(
        "--view", choices=("window", *VIEW_NAMES), default="window", help="what to draw (default: window)"
    )
    parser.add_argument("--size", default="1440x900", metavar="WxH", help="size in pixels (default: 1440x900)")
    parser.add_argument("--lesson", metavar="NAME", help="draw the window with this lesson open, a name or a file")
    parser.add_argument("--step", metavar="N", help="step of the lesson, from 1")
    parser.add_argument("--present", action="store_true", help="as it is presented")
    parser.add_argument("--theme", choices=THEME_NAMES, default="light", help="look (default: light)")


def _add_lessons(parser: Parser) -> None:
    parser.add_argument("lessons", nargs="*", metavar="LESSON", help="name or file (.pelesson); default: all")
    parser.add_argument("--check", action="store_true", help="play each and judge all that it expects")
    parser.add_argument("--wrong", action="store_true", help="--check, and see whether a wrong scheme breaks it")
    parser.add_argument("--handout", metavar="FILE.pdf", help="print one lesson")
    parser.add_argument("--answers", action="store_true", help="with the answers at the end of the hand-out")
    parser.add_argument("--json", action="store_true", help="print JSON")


def _add_doctor(parser: Parser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON")


_ADD = {
    "values": _add_values,
    "readouts": _add_readouts,
    "compare": _add_compare,
    "schemes": _add_schemes,
    "render": _add_render,
    "lessons": _add_lessons,
    "doctor": _add_doctor,
}
DESCRIPTIONS = {
    "values": "Exact numbers of an encoding.",
    "readouts": "Every number of the read-outs and property panels.",
    "compare": "Whether two encodings do the same: same, reordered, equal after softmax, or different from where on.",
    "schemes": "The encodings there are, where they act, and their parameters.",
    "render": "Draw the window or one view into a file, without a screen.",
    "lessons": "The lessons there are, and whether all that they claim holds.",
    "doctor": "Versions, platform plugin, missing system libraries and the command that installs them.",
}


def state_from(options: argparse.Namespace) -> LabState:
    """The state that the options describe, on top of a session if one is named.

    Raises
    ------
    FieldError
    """
    from pe_desktop.core.state import LabState

    state = LabState()
    if options.session:
        state = open_session(options.session)
    changes: dict[str, Any] = {}
    for name in ("scheme", "sentence", "compare", "experiment", *NUMBERS):
        value = getattr(options, name)
        if value is not None:
            changes[name] = value
    if options.causal:
        changes["causal"] = True
    if options.swap is not None:
        changes["swap"] = True
        changes["swap_words"] = options.swap.split(",") if options.swap else None
    if options.assignments:
        changes["params"] = dict(_assignment("set", text) for text in options.assignments)
    if options.compare_assignments:
        changes["compare_params"] = dict(_assignment("compare-set", text) for text in options.compare_assignments)
    if options.experiment_assignments:
        given = options.experiment_assignments
        changes["experiment_params"] = dict(_assignment("experiment-set", text) for text in given)
    if options.precision:
        changes["precision"] = dict(_assignment("precision", text) for text in options.precision)
    return state.change(changes)


def _assignment(option: str, text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise FieldError(option, f"--{option} got {text!r}; write NAME=VALUE, such as base=500000.")
    return name.strip(), value_from(value)


def value_from(text: str) -> Any:
    """A parameter's value as typed: a number stays text (it is read where its kind is known), else JSON or text."""
    if parse_number(text) is not None:
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def size_from(text: str) -> tuple[int, int]:
    """Width and height in pixels from a text such as 1440x900."""
    width, cross, height = text.lower().partition("x")
    if not cross or not width.isdecimal() or not height.isdecimal():
        raise FieldError("size", f"--size got {text!r}; write width x height, such as 1440x900.")
    size = int(width), int(height)
    if not (200 <= size[0] <= 8192 and 150 <= size[1] <= 8192):
        raise FieldError("size", f"--size is {text}; width must be 200 to 8192 and height 150 to 8192 pixels.")
    return size
