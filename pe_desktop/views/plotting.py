"""What all views share: pyqtgraph's settings, colour tables, fonts, and the numbers on axes."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from importlib.resources import files

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtGui import QColor, QFont, QImage
from PySide6.QtWidgets import QApplication

from pe_desktop.theme import Theme

# Once, before any item exists. OpenGL stays off: it is slower here and breaks on machines without a driver.
pg.setConfigOptions(imageAxisOrder="row-major", antialias=False, useOpenGL=False)

Bytes = NDArray[np.uint8]

# The step that is 0 in a diverging table. Step 0 is kept for cells that hold no value.
CENTRE = 128
VOID = 0


def _sampled(name: str, count: int) -> NDArray[np.float64]:
    """`count` colours (count, 3), 0 .. 255, of one of pyqtgraph's maps.

    Its file is read here: ``pg.colormap.get`` makes a QColor of every line, which costs a start 20 ms a map.
    """
    text = files(pg).joinpath("colors", "maps", f"{name}.csv").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line and line[0] != ";"]
    colours = np.array(",".join(lines).split(","), dtype=np.float64).reshape(len(lines), -1)[:, :3] * 255.0
    places, wanted = np.linspace(0.0, 1.0, len(colours)), np.linspace(0.0, 1.0, count)
    return np.stack([np.interp(wanted, places, channel) for channel in colours.T], axis=1)


def _rgb(colour: str) -> NDArray[np.float64]:
    made = QColor(colour)
    return np.array([made.red(), made.green(), made.blue()], dtype=np.float64)


@lru_cache(maxsize=16)
def diverging_table(theme: Theme) -> Bytes:
    """Colour table (256, 3) for [-1, 1]: steps 1 .. 255, the centre exactly ``theme.neutral``.

    Both base maps run from blue to red, which every common kind of colour blindness tells apart.
    """
    colours = _sampled("CET-D4" if theme.dark else "CET-D1", 255)
    nearness = 1.0 - np.abs(np.linspace(-1.0, 1.0, 255))
    colours += (_rgb(theme.neutral) - colours[127]) * nearness[:, None]
    return _table(colours, theme)


@lru_cache(maxsize=16)
def sequential_table(theme: Theme) -> Bytes:
    """Colour table (256, 3) for [0, 1]: steps 1 .. 255 of viridis; step 0 is the neutral of masked cells."""
    return _table(_sampled("viridis", 255), theme)


def regime_colours(theme: Theme) -> tuple[QColor, QColor, QColor]:
    """What a length extension did to a pair (kept, blended, divided): three steps of the sequential map."""
    table = sequential_table(theme)
    kept, blended, divided = (QColor(*table[step].tolist()) for step in (72, 150, 228))
    return kept, blended, divided


def _table(colours: NDArray[np.float64], theme: Theme) -> Bytes:
    table = np.empty((256, 3), dtype=np.uint8)
    table[1:] = np.clip(np.rint(colours), 0, 255)
    table[VOID] = _rgb(theme.line)
    table.flags.writeable = False
    return table


def diverging_steps(values: NDArray[np.float32], scale: float) -> Bytes:
    """Steps of the diverging table for `values` of any shape, -scale .. scale to 1 .. 255."""
    steps = values * np.float32(127.0 / scale if scale > 0 else 0.0)
    steps += np.float32(CENTRE + 0.5)
    np.clip(steps, 1.0, 255.0, out=steps)
    return steps.astype(np.uint8)


def sequential_steps(values: NDArray[np.float32], top: float) -> Bytes:
    """Steps of the sequential table for `values` of any shape, 0 .. top to 1 .. 255."""
    steps = values * np.float32(254.0 / top if top > 0 else 0.0)
    steps += np.float32(1.5)
    np.clip(steps, 1.0, 255.0, out=steps)
    return steps.astype(np.uint8)


class StepImage(pg.ImageItem):
    """An ImageItem of steps (h, w) uint8 in a colour table.

    pyqtgraph hands Qt an indexed image, whose colours Qt looks up in every repaint; looked up here, once per
    change, a repaint costs a quarter (measured: 0.4 to 0.1 ms for 400 x 300 pixels).
    """

    def __init__(self) -> None:
        super().__init__(autoDownsample=False)
        self._colours = np.zeros(256, dtype=np.uint32)
        self._pixels: NDArray[np.uint32] = np.zeros((1, 1), dtype=np.uint32)

    def set_table(self, table: Bytes) -> None:
        """Take a colour table (256, 3)."""
        red, green, blue = table.T.astype(np.uint32)
        self._colours = 0xFF000000 | red << 16 | green << 8 | blue
        self._renderRequired = True
        self.update()

    def set_steps(self, steps: Bytes) -> None:
        """Show other steps."""
        self.setImage(steps, autoLevels=False)

    def render(self) -> None:
        """Look the colours up (called by ImageItem before it paints)."""
        self._unrenderable = self.image is None or self.image.size == 0
        if self._unrenderable:
            return
        image: Bytes = self.image
        self._pixels = np.take(self._colours, image, mode="clip")
        height, width = self._pixels.shape
        # QImage does not own the pixels; they live as long as this item.
        self.qimage = QImage(self._pixels.data, width, height, 4 * width, QImage.Format.Format_RGB32)
        self._renderRequired = False


def ink_on(table: Bytes) -> NDArray[np.bool_]:
    """Whether dark text reads better than white on each colour of a table, shape (256,)."""
    linear = (table.astype(np.float64) / 255.0) ** 2.2
    return linear @ np.array([0.2126, 0.7152, 0.0722]) > 0.18


def font(points: float, *, bold: bool = False) -> QFont:
    """The application's font at a size in points, digits of equal width."""
    made = QFont(QApplication.font())
    made.setPointSizeF(points)
    made.setFeature(QFont.Tag("tnum"), 1)
    if bold:
        made.setWeight(QFont.Weight.DemiBold)
    return made


def faded(colour: str, opacity: float) -> QColor:
    """A colour with an opacity in [0, 1]."""
    made = QColor(colour)
    made.setAlphaF(opacity)
    return made


def nice_step(span: float, count: float, *, whole: bool) -> float:
    """The smallest 1, 2 or 5 times a power of ten that cuts `span` into at most `count` parts."""
    rough = max(span / max(count, 1.0), 1e-300)
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1.0, 2.0, 5.0, 10.0) if power * factor >= rough * (1.0 - 1e-9))
    return max(step, 1.0) if whole else step


def ticks(low: float, high: float, count: float, *, whole: bool) -> tuple[list[float], float]:
    """Tick values within [low, high], and their step."""
    step = nice_step(high - low, count, whole=whole)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [k * step for k in range(first, last + 1)], step


def spaced_ticks(
    low: float, high: float, pixels: float, least: float, measure: Callable[[str], float]
) -> list[tuple[float, str]]:
    """Whole-number ticks (value, text) as close as their texts allow.

    `pixels` is the length of the axis, `least` the smallest distance wanted, `measure` the width of a text in pixels.
    """
    for count in (12, 9, 7, 5, 4, 3, 2, 1):
        values, step = ticks(low, high, count, whole=True)
        texts = [whole_text(value, step) for value in values]
        room = step / (high - low) * pixels
        if room >= max([least, *(measure(text) + 14 for text in texts)]):
            break
    return list(zip(values, texts, strict=True))


def whole_text(value: float, step: float) -> str:
    """A whole number for an axis: ``1,234``, or ``200k`` and ``1.2M`` where all ticks are that round."""
    number = round(value)
    if step >= 1_000 and number >= 1_000_000:
        return f"{number / 1e6:.{0 if step >= 1e6 else 1 if step >= 1e5 else 2 if step >= 1e4 else 3}f}M"
    if step >= 1_000 and number >= 1_000:
        return f"{number // 1_000:,}k"
    return minus(f"{number:,}")


def real_texts(values: Sequence[float], step: float) -> list[str]:
    """Real numbers for one axis: all in one unit, thousands or millions from 10,000 on, with the decimals of `step`."""
    largest = max(map(abs, values), default=0.0)
    powers = step < 1e-4 or largest >= 1e9
    unit, sign = (1e6, "M") if largest >= 1e6 else (1e3, "k") if largest >= 1e4 else (1.0, "")
    digits = max(0, -math.floor(math.log10(step / unit) + 1e-9))
    texts = []
    for value in values:
        if abs(value) < step * 1e-6:
            texts.append("0")
        elif powers:
            mantissa, exponent = f"{value:.1e}".split("e")
            texts.append(minus(f"{mantissa}e{int(exponent)}"))
        else:
            texts.append(minus(f"{value / unit:,.{digits}f}{sign}"))
    return texts


def short_text(value: float) -> str:
    """A number in at most about six characters, for colour bars and tags."""
    size = abs(value)
    if size == 0.0:
        return "0"
    if size >= 1e6 or 0.0 < size < 1e-3:
        return minus(f"{value:.1e}".replace("e+0", "e").replace("e-0", "e-"))
    if size >= 1e4:
        return minus(f"{value / 1e3:.3g}k") if size < 999_500 else minus(f"{value / 1e6:.3g}M")
    return minus(f"{value:.4g}" if size >= 100 else f"{value:.3g}")


def minus(text: str) -> str:
    """The text with real minus signs, as wide as a plus."""
    return text.replace("-", "\u2212")
