"""The command line's grammar: verbs, and the options that describe a state."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any, NoReturn

from pe_desktop import __version__
from pe_desktop.core.errors import FieldError
from pe_desktop.core.numbers import parse_number
from pe_desktop.session_file import open_session

if TYPE_CHECKING:  # the verb doctor must answer even where numpy, which the state needs, is broken
    from pe_desktop.core.state import LabState

VIEWS = ("window", "matrix", "similarity", "rotation", "attention")
THEME_NAMES = ("light", "dark", "projector")
FORMATS = (".png", ".svg", ".pdf")
NUMBERS = {
    "dimension": "model dimension, 2 to 8192",
    "length": "sequence length, 2 to 1048576",
    "position": "inspected spot, from 0",
    "key_position": "second spot (the key), from 0",
    "head": "attention head, from 0",
    "seed": "seed of the toy attention",
}


class Parser(argparse.ArgumentParser):
    """Refuses in one line, as everything on this command line does."""

    def error(self, message: str) -> NoReturn:
        """Raise instead of printing usage."""
        raise FieldError("command line", f"{message[:1].upper()}{message[1:]}; see pe-desktop --help.")


def state_options() -> Parser:
    """A parent parser with the options that describe a state."""
    parser = Parser(add_help=False, allow_abbrev=False)
    group = parser.add_argument_group("state options")
    group.add_argument("--scheme", metavar="ID", help="encoding: none, integer, normalized, sinusoidal, learned, …")
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
        "--set", dest="assignments", action="append", default=[], metavar="NAME=VALUE", help="scheme parameter"
    )
    group.add_argument("--session", metavar="FILE", help="start from a saved session (.pelab)")
    return parser


def window_parser() -> Parser:
    """The grammar without a verb: open the window."""
    parser = Parser(
        prog="pe-desktop",
        parents=[state_options()],
        allow_abbrev=False,
        description="A laboratory for positional encodings. Without a verb it opens the window.",
        epilog="Verbs: values, readouts, render, doctor; see pe-desktop VERB --help.",
    )
    parser.add_argument("file", nargs="?", metavar="FILE", help="session to open (.pelab)")
    parser.add_argument("--theme", choices=THEME_NAMES, help="look of the window")
    parser.add_argument("--version", action="version", version=f"pe-desktop {__version__}")
    return parser


def verb_parser(verb: str) -> Parser:
    """The grammar of one verb."""
    parents = [] if verb == "doctor" else [state_options()]
    parser = Parser(prog=f"pe-desktop {verb}", parents=parents, allow_abbrev=False, description=DESCRIPTIONS[verb])
    _ADD[verb](parser)
    return parser


def _add_values(parser: Parser) -> None:
    parser.add_argument("--what", help="which number: encoding, inv_freq, angles, bias, …")
    parser.add_argument("--positions", help="such as 0,1,5:20:5; default: all")
    parser.add_argument("--key-positions", help="keys, for bias and scores")
    for name in ("q", "k", "vectors"):
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


def _add_render(parser: Parser) -> None:
    parser.add_argument("--out", required=True, metavar="FILE", help="picture to write: .png, .svg or .pdf")
    parser.add_argument("--view", choices=VIEWS, default="window", help="what to draw (default: window)")
    parser.add_argument("--size", default="1440x900", metavar="WxH", help="size in pixels (default: 1440x900)")
    parser.add_argument("--theme", choices=THEME_NAMES, default="light", help="look (default: light)")


def _add_doctor(parser: Parser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON")


_ADD = {"values": _add_values, "readouts": _add_readouts, "render": _add_render, "doctor": _add_doctor}
DESCRIPTIONS = {
    "values": "Exact numbers of an encoding.",
    "readouts": "Every number of the read-outs and property panels.",
    "render": "Draw the window or one view into a file, without a screen.",
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
    for name in ("scheme", "sentence", *NUMBERS):
        value = getattr(options, name)
        if value is not None:
            changes[name] = value
    if options.causal:
        changes["causal"] = True
    if options.swap is not None:
        changes["swap"] = True
        changes["swap_words"] = options.swap.split(",") if options.swap else None
    if options.assignments:
        changes["params"] = dict(_assignment(text) for text in options.assignments)
    return state.change(changes)


def _assignment(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise FieldError("set", f"--set got {text!r}; write NAME=VALUE, such as base=500000.")
    if parse_number(value) is not None:
        return name.strip(), value
    try:
        return name.strip(), json.loads(value)
    except (ValueError, RecursionError):
        return name.strip(), value


def size_from(text: str) -> tuple[int, int]:
    """Width and height in pixels from a text such as 1440x900."""
    width, cross, height = text.lower().partition("x")
    if not cross or not width.isdecimal() or not height.isdecimal():
        raise FieldError("size", f"--size got {text!r}; write width x height, such as 1440x900.")
    size = int(width), int(height)
    if not (200 <= size[0] <= 8192 and 150 <= size[1] <= 8192):
        raise FieldError("size", f"--size is {text}; width must be 200 to 8192 and height 150 to 8192 pixels.")
    return size
