"""Reads the small language of expectations: from text to a tree, by a whitelist. Nothing is ever run."""

from __future__ import annotations

import ast
import difflib
import math
import re
from functools import lru_cache

from pe_desktop.core.errors import FieldError
from pe_desktop.lessons.expression_tree import Call, Comparison, Joined, Name, Node, Number, Operation
from pe_desktop.lessons.quantity_table import QUANTITIES, Quantity, Sort, known_names, parameter_sorts

MOST_LETTERS = 300
MOST_LEVELS = 24
MOST_POWER = 64.0
EXPERIMENT = "experiment"
MATHS: dict[str, tuple[int, int | None]] = {  # fewest and most arguments
    "abs": (1, 1),
    "sqrt": (1, 1),
    "log": (1, 1),
    "min": (2, None),
    "max": (2, None),
}
NUMBERS = "write numbers as 12, 0.629 or 1e-3"
ALLOWED = "allowed are numbers, quantities, + - * / ** ( ), comparisons, and, or, not"


_TOKEN = re.compile(
    r"(?P<space>\s+)|(?P<number>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(?P<name>[A-Za-z_][A-Za-z_0-9]*)"
    r"|(?P<point>\.)|(?P<sign>\*\*|[<>=!]=|[-+*/(),<>])",
    re.ASCII,
)
_SIGNS: dict[type[ast.AST], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.Pow: "**",
    ast.UAdd: "+",
    ast.USub: "-",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}


@lru_cache(maxsize=1024)
def tree_of(text: str, field: str, sort: Sort) -> Node:
    """Read an expression.

    Parameters
    ----------
    text : str
        At most :data:`MOST_LETTERS` letters.
    field : str
        What an error names.
    sort : Sort
        TRUTH: it must be true or false, NUMBER: a number. At least one quantity must be in a truth.

    Raises
    ------
    FieldError
        In one sentence: what was found, at which letter (from 1), what is allowed.
    """
    reader = _Reader(text, field)
    tree = reader.read()
    what = repr(_short(text))
    if sort is Sort.TRUTH and tree.sort is Sort.NUMBER:
        raise reader.refuse(
            f"{what} is a number, which is neither true nor false; compare it, as in {_short(text)} < 1"
        )
    if sort is Sort.NUMBER and tree.sort is Sort.TRUTH:
        raise reader.refuse(f"{what} is true or false; give a number, such as 0.5 or similarity(25)")
    if sort is Sort.TRUTH and not has_quantity(tree):
        raise reader.refuse(f"{what} has no quantity and so cannot fail; name one, such as input_gap")
    return tree


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 60 else f"{text[:59]}…"


class _Reader:
    """Reads one text."""

    def __init__(self, text: str, field: str) -> None:
        self._field = field
        self._text = text
        self._clean = re.sub(r"\s", " ", text, flags=re.ASCII)
        self._skipped = len(self._clean) - len(self._clean.lstrip(" "))

    def refuse(self, message: str, at: int | None = None) -> FieldError:
        """An error; `at` is a place in the text, from 0."""
        where = "" if at is None else f" at letter {at + 1}"
        where = f"{where} of {_short(self._text)!r}" if at is not None else where
        return FieldError(self._field, message.replace("{at}", where) + ".")

    def read(self) -> Node:
        self._scan()
        body = self._clean.lstrip(" ")
        try:
            tree = ast.parse(body, mode="eval").body
        except SyntaxError as error:
            at = min((error.offset or 1) - 1, len(body) - 1) + self._skipped
            raise self.refuse(f"The text cannot be read{{at}}; {ALLOWED}", max(at, 0)) from None
        except (ValueError, MemoryError, RecursionError):
            raise self.refuse("The text is nested too deeply to be read; write it more simply") from None
        return self._node(tree, 0)

    def _scan(self) -> None:
        """Let only whole tokens of the language through, so that Python's reader is never asked about others."""
        text = self._clean
        if not text.strip():
            raise self.refuse("The text is empty; write an expression such as input_gap == 0.000")
        if len(text) > MOST_LETTERS:
            raise self.refuse(f"The text has {len(text):,} letters; at most {MOST_LETTERS} are read: split it")
        at, before = 0, "space"
        while at < len(text):
            found = _TOKEN.match(text, at)
            if found is None:
                hint = "; write == for equal" if text[at] == "=" else f"; {ALLOWED}"
                raise self.refuse(f"The sign {text[at]!r} has no meaning{{at}}{hint}", at)
            kind = found.lastgroup or ""
            if before == "number" and kind in ("number", "name"):
                raise self.refuse(f"A number runs into {found[0]!r}{{at}}; {NUMBERS}", at)
            if (kind == "point" and before != "name") or (before == "point" and kind != "name"):
                raise self.refuse(f"A point without a digit on both sides is no number{{at}}; {NUMBERS}", at)
            at, before = found.end(), kind

    # Nodes ----------------------------------------------------------------------------------------------------

    def _source(self, tree: ast.expr) -> str:
        # Column offsets count bytes, which letters are here: the scan lets only ASCII through.
        body = self._clean.lstrip(" ")
        return body[tree.col_offset : tree.end_col_offset]

    def _at(self, tree: ast.expr) -> int:
        return tree.col_offset + self._skipped

    def _node(self, tree: ast.expr, level: int) -> Node:
        if level > MOST_LEVELS:
            raise self.refuse("The text is nested too deeply to be read{at}; write it more simply", self._at(tree))
        if isinstance(tree, ast.Constant):
            return self._constant(tree)
        if isinstance(tree, ast.Name):
            return self._name(tree)
        if isinstance(tree, ast.Attribute):
            return self._figure(tree)
        if isinstance(tree, ast.Call):
            return self._call(tree, level)
        if isinstance(tree, ast.UnaryOp):
            return self._unary(tree, level)
        if isinstance(tree, ast.BinOp) and type(tree.op) in _SIGNS:
            return self._binary(tree, level)
        if isinstance(tree, ast.Compare):
            return self._comparison(tree, level)
        if isinstance(tree, ast.BoolOp):
            word = "and" if isinstance(tree.op, ast.And) else "or"
            parts = tuple(self._truth(part, level) for part in tree.values)
            return Joined(self._source(tree), word, parts)
        raise self.refuse(f"{_short(self._source(tree))!r} cannot be used{{at}}; {ALLOWED}", self._at(tree))

    def _constant(self, tree: ast.Constant) -> Number:
        text = self._source(tree)
        if isinstance(tree.value, bool):
            return Number(text, float(tree.value), Sort.TRUTH)
        if not isinstance(tree.value, int | float):
            raise self.refuse(f"{text!r} is no number{{at}}; {ALLOWED}", self._at(tree))
        value = float(text)
        if math.isinf(value):
            raise self.refuse(f"The number {_short(text)} is too large{{at}}; write one below 1e308", self._at(tree))
        return Number(text, value)

    def _name(self, tree: ast.Name) -> Node:
        name = tree.id
        if name == "pi":
            return Number("pi", math.pi)
        about = QUANTITIES.get(name)
        if (about is not None and about.is_call) or name in MATHS:
            raise self.refuse(f"{name!r} needs arguments{{at}}; write {_written(name, about)}", self._at(tree))
        if about is not None:
            return Name(name, name, about.sort)
        if name not in parameter_sorts():
            raise self._unknown(name, self._at(tree))
        sort = parameter_sorts()[name]
        if sort is None:
            message = f"The parameter {name!r} is no number{{at}}; set it in the state of the step instead"
            raise self.refuse(message, self._at(tree))
        return Name(name, name, sort)

    def _figure(self, tree: ast.Attribute) -> Name:
        if not isinstance(tree.value, ast.Name) or tree.value.id != EXPERIMENT:
            message = f"A point stands only in experiment.NAME, not in {_short(self._source(tree))!r}{{at}}; remove it"
            raise self.refuse(message, self._at(tree))
        name = f"{EXPERIMENT}.{tree.attr}"
        return Name(name, name)

    def _unknown(self, name: str, at: int) -> FieldError:
        if name == EXPERIMENT:
            return self.refuse("'experiment' needs the name of a figure{at}; write experiment.NAME", at)
        near = difflib.get_close_matches(name, [*known_names(), *MATHS, "pi"], 3, 0.5)
        hint = f"near it are {', '.join(near)}" if near else "CONTRIBUTING.md lists the quantities"
        return self.refuse(f"There is no quantity {_short(name)!r}{{at}}; {hint}", at)

    def _call(self, tree: ast.Call, level: int) -> Call:
        at = self._at(tree)
        if not isinstance(tree.func, ast.Name):
            raise self.refuse(f"{_short(self._source(tree.func))!r} cannot be called{{at}}; {ALLOWED}", at)
        name = tree.func.id
        about = QUANTITIES.get(name)
        if about is None and name not in MATHS:
            if name in parameter_sorts() or name == "pi":
                raise self.refuse(f"{name!r} takes no arguments{{at}}; leave the brackets out", at)
            raise self._unknown(name, at)
        if about is not None and not about.is_call:
            raise self.refuse(f"{name!r} takes no arguments{{at}}; leave the brackets out", at)
        if tree.keywords or not _takes(about, name, len(tree.args)):
            raise self.refuse(f"{name!r} has other arguments than it takes{{at}}; write {_written(name, about)}", at)
        return Call(self._source(tree), name, tuple(self._number(part, level) for part in tree.args))

    def _unary(self, tree: ast.UnaryOp, level: int) -> Node:
        if isinstance(tree.op, ast.Not):
            return Joined(self._source(tree), "not", (self._truth(tree.operand, level),))
        if type(tree.op) not in _SIGNS:
            raise self.refuse(f"{_short(self._source(tree))!r} cannot be used{{at}}; {ALLOWED}", self._at(tree))
        part, sign = self._number(tree.operand, level), _SIGNS[type(tree.op)]
        if isinstance(part, Number) and part.text != "pi" and part.text[0] not in "+-":
            text = part.text if sign == "+" else f"-{part.text}"
            return Number(text, float(text))
        return Operation(self._source(tree), sign, (part,))

    def _binary(self, tree: ast.BinOp, level: int) -> Operation:
        parts = self._number(tree.left, level), self._number(tree.right, level)
        if isinstance(tree.op, ast.Pow) and isinstance(parts[1], Number) and abs(parts[1].value) > MOST_POWER:
            raise self.refuse(
                f"The power {parts[1].text} is too large{{at}}; it may lie between -{MOST_POWER:g} and {MOST_POWER:g}",
                self._at(tree.right),
            )
        return Operation(self._source(tree), _SIGNS[type(tree.op)], parts)

    def _comparison(self, tree: ast.Compare, level: int) -> Comparison:
        for each in tree.ops:
            if type(each) not in _SIGNS:
                raise self.refuse(f"{_short(self._source(tree))!r} cannot be used{{at}}; {ALLOWED}", self._at(tree))
        signs = tuple(_SIGNS[type(each)] for each in tree.ops)
        places = [tree.left, *tree.comparators]
        parts = tuple(self._node(place, level + 1) for place in places)
        for left, sign, right, place in zip(parts, signs, parts[1:], places, strict=False):
            self._check_pair(left, sign, right, self._at(place))
        return Comparison(self._source(tree), parts, signs)

    def _check_pair(self, left: Node, sign: str, right: Node, at: int) -> None:
        first, second = repr(_short(left.text)), repr(_short(right.text))
        sorts = {left.sort, right.sort} - {Sort.EITHER}
        if len(sorts) > 1 or (sorts == {Sort.TRUTH} and sign not in ("==", "!=")):
            message = (
                f"{first} is {left.sort.value} and {second} is {right.sort.value}{{at}}, so {sign} cannot compare them"
            )
            raise self.refuse(f"{message}; compare numbers with numbers", at)
        if not (has_quantity(left) or has_quantity(right)):
            raise self.refuse(f"{first} {sign} {second} has no quantity{{at}} and so cannot fail; name one", at)
        if left == right:
            raise self.refuse(f"{first} is compared with itself{{at}}, which cannot fail; compare two things", at)

    def _number(self, tree: ast.expr, level: int) -> Node:
        node = self._node(tree, level + 1)
        if node.sort is Sort.TRUTH:
            message = f"{_short(node.text)!r} is true or false{{at}}, where a number is needed; compare numbers only"
            raise self.refuse(message, self._at(tree))
        return node

    def _truth(self, tree: ast.expr, level: int) -> Node:
        node = self._node(tree, level + 1)
        if node.sort is Sort.NUMBER:
            message = f"{_short(node.text)!r} is a number{{at}}, where a comparison or a light is needed; compare it"
            raise self.refuse(message, self._at(tree))
        return node


def has_quantity(node: Node) -> bool:
    """Whether anything in a tree depends on the state."""
    if isinstance(node, Call):
        return node.name in QUANTITIES or any(map(has_quantity, node.arguments))
    return isinstance(node, Name) or (not isinstance(node, Number) and any(map(has_quantity, node.parts)))


def _takes(about: Quantity | None, name: str, count: int) -> bool:
    if about is not None:
        return any(len(names) == count for names in about.arguments)
    fewest, most = MATHS[name]
    return fewest <= count and (most is None or count <= most)


def _written(name: str, about: Quantity | None) -> str:
    if about is not None:
        return about.written
    return f"{name}(a, b)" if MATHS[name][0] > 1 else f"{name}(a)"
