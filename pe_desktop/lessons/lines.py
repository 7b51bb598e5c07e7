"""Where in a lesson file a table, a key or an item of a list stands; tomllib does not tell."""

from __future__ import annotations

import re
from bisect import bisect_right

Path = tuple[str | int, ...]

# What a line can begin with that matters, and what its value is made of; strings are skipped as a whole.
_HEADER = re.compile(r"[ \t]*(\[\[?)([^\]\n#]*)\]")
_NAME = r"(?:[\w-]+|\"[^\"\n]*\"|'[^'\n]*')"
_KEY = re.compile(rf"[ \t]*({_NAME}(?:[ \t]*\.[ \t]*{_NAME})*)[ \t]*=")
_VALUE = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*"{3,5}' + r"|'''(?:[^']|'(?!''))*'{3,5}"
    r'|"(?:[^"\\\n]|\\.)*"' + r"|'[^'\n]*'"
    r"|\#[^\n]*|[\[\]{},\n]|[^\s\[\]{},\#\"']+|[\"']",
    re.DOTALL,
)
# A text or a number alone on its line, by far the most frequent.
_SHORT = re.compile(r"[ \t]*(?:\"(?:[^\"\\\n]|\\.)*\"|[\w.+-]+)[ \t]*\n")
_PART = re.compile(_NAME)


class Lines:
    """The lines of everything in a text that is TOML.

    Parameters
    ----------
    text : str
        With line ends of one letter.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]
        self._found: dict[Path, int] = {}
        self._counts: dict[Path, int] = {}
        table: Path = ()
        at = 0
        while at < len(text):
            if header := _HEADER.match(text, at):
                table = self._open(header)
                at = self._end_of_line(header.end())
            elif key := _KEY.match(text, at):
                path = (*table, *_parts(key[1]))
                self._found.setdefault(path, self._line(key.start(1)))
                at = self._pass_value(path, key.end())
            else:
                at = self._end_of_line(at)

    def of(self, *path: str | int) -> int:
        """The line of what a path names, such as ``"step", 2, "state", "base"``, from 1.

        A path that is not written out stands where the longest beginning of it does.
        """
        for end in range(len(path), 0, -1):
            if path[:end] in self._found:
                return self._found[path[:end]]
        return 1

    def _line(self, at: int) -> int:
        return bisect_right(self._starts, at)

    def _end_of_line(self, at: int) -> int:
        end = self._text.find("\n", at)
        return len(self._text) if end < 0 else end + 1

    def _open(self, header: re.Match[str]) -> Path:
        """The path of the table that a header opens; a table of a list has its number in it."""
        path: Path = ()
        parts = _parts(header[2])
        for place, part in enumerate(parts, start=1):
            path = (*path, part)
            if header[1] == "[[" and place == len(parts):
                self._counts[path] = self._counts.get(path, -1) + 1
            if path in self._counts:
                path = (*path, self._counts[path])
        self._found.setdefault(path, self._line(header.start(1)))
        return path

    def _pass_value(self, path: Path, at: int) -> int:
        """The end of the line on which a value ends; the items of a list are noted on the way."""
        if short := _SHORT.match(self._text, at):
            return short.end()
        depth = item = 0
        is_new = True
        for match in _VALUE.finditer(self._text, at):
            token = match[0]
            if token == "\n":
                if depth <= 0:
                    return match.end()
            elif token in ("[", "{"):
                if depth == 1 and is_new:
                    self._found[(*path, item)] = self._line(match.start())
                    is_new = False
                depth += 1
            elif token in ("]", "}"):
                depth -= 1
            elif token == ",":
                if depth == 1:
                    item, is_new = item + 1, True
            elif token[0] != "#" and depth == 1 and is_new:
                self._found[(*path, item)] = self._line(match.start())
                is_new = False
        return len(self._text)


def _parts(text: str) -> list[str]:
    return [part.strip("\"'") for part in _PART.findall(text)]
