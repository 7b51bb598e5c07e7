"""What the frames are compared with: stock pyqtgraph, matplotlib, and a table of all values."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QApplication

from pe_desktop.core.parts import Snapshot

MOST_CELLS = 2e8  # of a whole table; more does not fit the memory of an ordinary machine beside its temporaries


class StockViews:
    """The four pictures as PlotWidget, ImageItem, ColorBarItem and PlotCurveItem make them, in the same sizes."""

    def __init__(self, snapshot: Snapshot, rects: list[QRect]) -> None:
        self._widgets = [pg.PlotWidget() for _ in rects]
        matrix, curve, dials, attention = self._widgets
        picture = pg.ImageItem(snapshot.matrix.values, levels=(-1, 1), autoLevels=False)
        matrix.addItem(picture)
        matrix.getPlotItem().addColorBar(picture, values=(-1, 1))
        curve.plot(snapshot.similarity.x, snapshot.similarity.high)
        curve.addItem(pg.InfiniteLine(snapshot.state.position))
        self._dials(dials, snapshot)
        self._attention(attention, snapshot)
        for widget, rect in zip(self._widgets, rects, strict=True):
            widget.resize(rect.size())
            widget.show()
        QApplication.processEvents()

    def _dials(self, widget: pg.PlotWidget, snapshot: Snapshot) -> None:
        turn = np.linspace(0, 2 * np.pi, 40)
        for index, pair in enumerate(snapshot.rotation.pairs):
            x, y = 3.0 * (index % 8), -3.0 * (index // 8)
            widget.plot(x + np.cos(turn), y + np.sin(turn))
            for hand in (snapshot.rotation.query[index], snapshot.rotation.key[index]):
                widget.plot([x, x + hand.real], [y, y + hand.imag])
            label = pg.TextItem(str(pair))
            label.setPos(x, y - 1)
            widget.addItem(label)

    def _attention(self, widget: pg.PlotWidget, snapshot: Snapshot) -> None:
        widget.addItem(pg.ImageItem(snapshot.attention.weights_a, levels=(0, 1), autoLevels=False))
        ticks = [[(slot + 0.5, word) for slot, word in enumerate(snapshot.attention.tokens_a)]]
        for side in ("left", "top"):
            widget.showAxis(side)
            widget.getAxis(side).setTicks(ticks)

    def repaint(self) -> None:
        """Paint all four again with nothing changed."""
        for widget in self._widgets:
            widget.viewport().repaint()

    def close(self) -> None:
        """Take them away."""
        for widget in self._widgets:
            widget.close()
            widget.deleteLater()
        QApplication.processEvents()


class MatplotlibFigure:
    """The four pictures in one Agg figure of the same size."""

    def __init__(self, snapshot: Snapshot, rects: list[QRect]) -> None:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        width = rects[0].width() + rects[2].width()
        height = rects[0].height() + rects[1].height()
        figure = Figure(figsize=(width / 100, height / 100), dpi=100)
        self._canvas = FigureCanvasAgg(figure)
        (matrix, dials), (curve, attention) = figure.subplots(2, 2)
        matrix.imshow(snapshot.matrix.values, vmin=-1, vmax=1, cmap="RdBu", aspect="auto")
        curve.plot(snapshot.similarity.x, snapshot.similarity.high)
        curve.axvline(snapshot.state.position)
        turn = np.linspace(0, 2 * np.pi, 40)
        for index, pair in enumerate(snapshot.rotation.pairs):
            x, y = 3.0 * (index % 8), -3.0 * (index // 8)
            dials.plot(x + np.cos(turn), y + np.sin(turn), lw=0.5)
            for hand in (snapshot.rotation.query[index], snapshot.rotation.key[index]):
                dials.plot([x, x + hand.real], [y, y + hand.imag])
            dials.text(x, y - 1.4, str(pair))
        attention.imshow(snapshot.attention.weights_a, vmin=0, vmax=1)
        words = snapshot.attention.tokens_a
        attention.set_xticks(range(len(words)), words)
        attention.set_yticks(range(len(words)), words)
        self._canvas.draw()

    def redraw(self) -> None:
        """Draw all four again with nothing changed."""
        self._canvas.draw()


class NaiveTable:
    """The matrix as it is drawn where nobody thinks of length: every value worked out, all given to an ImageItem.

    ``gigabytes`` is what the table takes (float64), ``fits`` whether it can be tried.
    """

    def __init__(self, length: int, dimension: int, rect: QRect) -> None:
        self.gigabytes = length * dimension * 8 / 1e9
        self.fits = length * dimension <= MOST_CELLS
        self._positions = np.arange(length)[:, None]
        self._shares = np.arange(0, dimension, 2) / dimension
        self._widget = pg.PlotWidget()
        self._picture = pg.ImageItem()
        self._widget.addItem(self._picture)
        self._widget.resize(rect.size())
        self._widget.show()
        QApplication.processEvents()

    def frame(self, base: float) -> None:
        """Make the table for a base and show it."""
        angles = self._positions * base**-self._shares
        table = np.empty((len(self._positions), 2 * len(self._shares)))
        table[:, 0::2], table[:, 1::2] = np.sin(angles), np.cos(angles)
        self._picture.setImage(table, autoLevels=False, levels=(-1, 1))
        self._widget.viewport().repaint()

    def close(self) -> None:
        """Take it away."""
        self._widget.close()
        self._widget.deleteLater()
        QApplication.processEvents()
