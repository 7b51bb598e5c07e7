"""Pictures of the window or of one view: PNG, SVG and PDF, written whole or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QMarginsF, QPoint, QRect, QSizeF
from PySide6.QtGui import QPageLayout, QPageSize, QPainter, QPdfWriter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QWidget

from pe_desktop.core.errors import FieldError
from pe_desktop.safe_file import replacing

if TYPE_CHECKING:
    from pe_desktop.model.lab import Lab

DOTS_PER_INCH = 96
POINTS_PER_INCH = 72


def save_picture(widget: QWidget, path: str, title: str) -> None:
    """Draw a widget into a file whose ending says the format.

    Parameters
    ----------
    widget : QWidget
        Shown and laid out.
    path : str
        Ends in .png, .svg or .pdf.
    title : str
        Stamped into the file.

    Raises
    ------
    FieldError
        If the file cannot be written; an old file of that name is then still whole.
    """
    target = Path(path)
    write = {".png": _png, ".svg": _svg, ".pdf": _pdf}.get(target.suffix.lower())
    if write is None:
        raise FieldError("out", f"{path} must end in .png, .svg or .pdf.")
    with replacing(target, "out") as temporary:
        if not write(widget, temporary, title):
            raise FieldError("out", f"{path} cannot be written: the disk may be full or the folder not writable.")


def _png(widget: QWidget, path: str, title: str) -> bool:
    image = widget.grab().toImage()
    image.setText("Title", title)
    return bool(image.save(path, quality=-1))


def _svg(widget: QWidget, path: str, title: str) -> bool:
    generator = QSvgGenerator()
    generator.setFileName(path)
    generator.setSize(widget.size())
    generator.setViewBox(QRect(QPoint(0, 0), widget.size()))
    generator.setResolution(DOTS_PER_INCH)
    generator.setTitle(title)
    return _paint(widget, generator)


def _pdf(widget: QWidget, path: str, title: str) -> bool:
    writer = QPdfWriter(path)
    writer.setTitle(title)
    writer.setResolution(DOTS_PER_INCH)
    scale = POINTS_PER_INCH / DOTS_PER_INCH
    page = QPageSize(QSizeF(widget.width() * scale, widget.height() * scale), QPageSize.Unit.Point)
    writer.setPageLayout(QPageLayout(page, QPageLayout.Orientation.Portrait, QMarginsF()))
    return _paint(widget, writer)


def _paint(widget: QWidget, device: QSvgGenerator | QPdfWriter) -> bool:
    painter = QPainter()
    if not painter.begin(device):
        return False
    widget.render(painter, QPoint(0, 0))
    return bool(painter.end())


def picture_title(lab: Lab) -> str:
    """What a picture shows, to be stamped into the file."""
    state = lab.state
    values = ", ".join(f"{name} {_short(value)}" for name, value in state.built.effective().items())
    return (
        f"PE Desktop: {state.built.title} ({values or 'no parameters'}), dimension {state.dimension}, "
        f"length {state.length}, spot {state.position}"
    )


def _short(value: object) -> str:
    return f"[{len(value)} numbers]" if isinstance(value, tuple) and len(value) > 4 else str(value)
