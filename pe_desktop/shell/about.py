"""What this program is, what it stands on, and how near its numbers come to those of other libraries."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QDialog, QTextBrowser, QVBoxLayout, QWidget

from pe_desktop import doctor, golden
from pe_desktop.core.numerals import short
from pe_desktop.theme import Theme

MARGIN = 24
WIDTH, LINES = 92, 36  # letters and lines that are shown at once, where the window has the room
NAMES = {"pe-desktop": "PE Desktop", "python": "Python"}
LICENCES = (
    "PE Desktop is under the MIT licence. It stands on Qt, PySide6 and Shiboken (LGPL 3), Python (PSF licence 2), "
    "numpy (BSD, 3 clauses) and pyqtgraph (MIT). A standalone app carries the full list in its folder licences."
)


class AboutBox(QDialog):
    """A window beside the main window, not in front of it; Esc closes it."""

    def __init__(self, parent: QWidget, theme: Theme) -> None:
        super().__init__(parent)
        self._beside = parent
        self.setObjectName("about_box")
        self.setWindowTitle("About PE Desktop")
        self._text = QTextBrowser(self)
        self._text.setObjectName("about_text")
        self._text.setAccessibleName("About PE Desktop")
        self._text.setFrameShape(QTextBrowser.Shape.NoFrame)
        self._text.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self._text.setCursorWidth(0)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._text)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        """Take type size and colours."""
        font = QFont(self.font())
        font.setPointSizeF(theme.body)
        font.setFeature(QFont.Tag("tnum"), 1)
        self._text.setFont(font)
        self._text.document().setDocumentMargin(MARGIN / 2)
        self._text.setHtml(about_html(theme))

    def open_beside(self) -> None:
        """Show, no larger than the main window, with the text at its beginning."""
        if not self.isVisible():
            self.resize(self.sizeHint().boundedTo(self._beside.size() - QSize(2 * MARGIN, 2 * MARGIN)))
            self._text.verticalScrollBar().setValue(0)
        self.show()
        self.raise_()
        self.activateWindow()

    def sizeHint(self) -> QSize:
        """As many letters and lines as are read at ease."""
        metrics = self._text.fontMetrics()
        return QSize(WIDTH * metrics.averageCharWidth() + 2 * MARGIN, LINES * metrics.lineSpacing())


def about_html(theme: Theme) -> str:
    """The text as Qt's rich text."""
    versions, _ = doctor.installed()
    title, rest = versions["pe-desktop"], {name: each for name, each in versions.items() if name != "pe-desktop"}
    stands_on = " · ".join(f"{NAMES.get(name, name)} {version or 'not found'}" for name, version in rest.items())
    parts = [
        f'<p style="font-size: {theme.title * 1.3:g}pt"><b>PE Desktop {title}</b></p>',
        "<p>An offline laboratory for positional encodings.</p>",
        f"<p>{escape(stands_on)}</p>",
        f'<p style="color: {theme.muted}">{escape(LICENCES)}</p>',
        *_comparison(golden.findings(), theme),
    ]
    return "".join(parts)


def _comparison(found: tuple[golden.Finding, ...], theme: Theme) -> list[str]:
    if not found:
        return ["<p>How near the numbers come to those of other libraries cannot be read.</p>"]
    numbers, share = sum(each.numbers for each in found), max(each.share for each in found)
    heads = ("Quantity", "Compared with", "Largest difference")
    rows = ["".join(f'<th align="left" style="color: {theme.muted}">{head}</th>' for head in heads)]
    for each in found:
        cells = (escape(each.quantity), "<br>".join(map(_whole, each.libraries)), escape(difference(each)))
        rows.append("".join(f"<td>{cell}</td>" for cell in cells))
    return [
        f'<p style="font-size: {theme.title:g}pt"><b>How right the numbers are</b></p>',
        f"<p>The tests compare {numbers:,} numbers of {len(found)} quantities with {_listed(golden.libraries(found))}. "
        f"No difference is larger than {share:.0%} of what the rounding of those libraries allows; the share stands in "
        "brackets.</p><p></p>",
        f'<table width="100%" cellpadding="3" cellspacing="0">{"".join(f"<tr>{row}</tr>" for row in rows)}</table>',
    ]


def difference(found: golden.Finding) -> str:
    """The largest difference as a person reads it, and its share of what is allowed."""
    if not found.difference:
        return "none"
    share = f"{found.share:.0%}" if found.share >= 0.01 else "under 1%"
    return f"{short(found.difference)}{' of the value' if found.relative else ''} ({share})"


def _listed(names: tuple[str, ...]) -> str:
    *first, last = map(_whole, names)
    return f"{', '.join(first)} and {last}" if first else last


def _whole(name: str) -> str:
    """A library's name and version, which no line break tears apart."""
    return f"<nobr>{escape(name)}</nobr>"
