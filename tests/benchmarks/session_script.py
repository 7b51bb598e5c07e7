"""What the scripted session does: every scheme at several sizes, every slider of it, and what lies between."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import QPointF
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QScrollArea, QSlider, QWidget

from pe_desktop.core.scheme import REGISTRY, scheme_class
from tests.benchmarks import gestures
from tests.benchmarks.bench_window import BenchWindow

SMALL, LONGEST = (128, 64), (1 << 20, 8192)
BETWEEN = ((4096, 1024), (65_536, 4096))
ODD = (999_983, 8190)  # a prime length: no block of whole cells divides it
EXTENSIONS = ("linear", "ntk", "dynamic", "yarn", "longrope", "llama3", "proportional")
STEPS = 5  # of one drag
ROUND_SECONDS = 120.0  # what one round over all scenes takes, roughly
LOOKS, ZOOMS = 0.15, 0.4  # shares of drags after which a person looks, of views that are zoomed
OTHERS = 4  # at the smaller sizes every fourth slider is dragged
FRAME = 0.016  # seconds between two movements of a hand
SETTLE = 0.25  # a person looks at what came out
ZOOMED = ("matrix", "similarity", "scores")
UPPER, LOWER = ("rotation", "spectrum", "grid", "precision"), ("attention", "scores")


@dataclass(frozen=True)
class Act:
    """One small action, and how long the hand rests after it began."""

    kind: str
    text: str
    work: Callable[[], object] | None = None
    pause: float = FRAME


@dataclass(frozen=True)
class Scene:
    """A scheme at a size, with the parameters that are to be chosen first."""

    scheme: str
    length: int
    dimension: int
    params: dict[str, Any] = field(default_factory=dict)
    every_slider: bool = True

    @property
    def name(self) -> str:
        """For the table."""
        more = "".join(f" {value}" for value in self.params.values() if isinstance(value, str))
        return f"{self.scheme}{more} {self.length:,} × {self.dimension:,}"


def scenes() -> list[Scene]:
    """Every scheme small, between and at the longest; every extension of RoPE short and at the longest."""
    scheme_class("none")  # fills the registry
    found: list[Scene] = []
    for index, scheme in enumerate(REGISTRY):
        middle = BETWEEN[index % 2]
        sizes = [Scene(scheme, *SMALL, every_slider=False), Scene(scheme, *middle, every_slider=False)]
        sizes.append(Scene(scheme, *LONGEST))
        # Upwards and downwards in turn: half of the schemes are chosen while the longest is shown.
        found += sizes if index % 2 == 0 else sizes[::-1]
        if scheme == "rope":
            for number, extension in enumerate(EXTENSIONS):
                params = {"extension": extension, "factor": 4.0}
                found.append(Scene(scheme, *(8192, 128), params, every_slider=number % 2 == 0))
                found.append(Scene(scheme, *(ODD if number % 2 else LONGEST), params))
    return found


class Script:
    """A generator of actions on a window; what there is to act on is looked up while it runs.

    Parameters
    ----------
    bench : BenchWindow
    seconds : float
        Roughly how long it takes: rounds over all scenes, or a part of them.
    seed : int
        The same seed gives the same actions.
    """

    def __init__(self, bench: BenchWindow, seconds: float, seed: int) -> None:
        self._bench = bench
        self._rng = random.Random(seed)
        self._seconds = seconds
        self._turn = 0
        self.scene = ""

    def __iter__(self) -> Iterator[Act]:
        every = scenes()
        left = max(1, round(len(every) * self._seconds / ROUND_SECONDS))
        step = max(1, len(every) // left)
        number = 0
        while left > 0:
            for scene in every[::step][:left]:
                self.scene = scene.name
                yield from self._scene(number, scene)
                number += 1
                left -= 1

    def _scene(self, number: int, scene: Scene) -> Iterator[Act]:
        yield from self._arrive(scene)
        compared = number % 4 == 1
        if compared:
            other = self._rng.choice(list(REGISTRY))
            yield self._request("compare on", f"compare with {other}", compare=other)
            yield Act("rest", "after compare on", None, SETTLE)
        for tabs, choices in zip(self._bench.window.centre.tabs, (UPPER, LOWER), strict=True):
            panel = self._bench.window.panels[self._rng.choice(choices)]
            yield Act("tab", f"tab {panel.part_name}", functools.partial(tabs.show_panel, panel))
        yield Act("rest", "after the tabs", None, 0.1)
        yield from self._drags(scene)
        for view in ZOOMED:
            if self._bench.window.panels[view].isVisible() and self._rng.random() < ZOOMS:
                yield from self._zoom(view)
        if number % 3 == 0:
            for name, keys in (("undo", "Ctrl+Z"), ("undo", "Ctrl+Z"), ("redo", "Ctrl+Y"), ("redo", "Ctrl+Y")):
                yield Act(name, name, self._action(keys).trigger, 0.06)
        if compared:
            yield self._request("compare off", "compare no more", compare="")
        if number % 9 == 4:
            for _ in range(3):
                yield Act("theme", "next theme", self._action("Ctrl+T").trigger, SETTLE)
        if number % 9 == 8:
            yield from self._resize()

    def _request(self, kind: str, text: str, **changes: Any) -> Act:
        return Act(kind, text, functools.partial(self._bench.lab.request, **changes))

    def _arrive(self, scene: Scene) -> Iterator[Act]:
        state = self._bench.lab.state
        if state.scheme != scene.scheme:
            yield self._request("scheme", "choose the scheme", scheme=scene.scheme)
            yield Act("rest", "after the scheme", None, 0.15)
        if scene.params:
            yield self._request("extension", "choose the extension", params=scene.params)
        sizes = {"length": scene.length, "dimension": scene.dimension}
        places = {"position": scene.length // 2, "key_position": scene.length // 2 + 8}
        yield self._request("size", "choose the size", **sizes, **places)
        yield Act("rest", "after the size", None, SETTLE)

    # Sliders ----------------------------------------------------------------------------------------------

    def _drags(self, scene: Scene) -> Iterator[Act]:
        window = self._bench.window
        found = [s for s in window.findChildren(QSlider) if s.isVisibleTo(window) and s.isEnabled() and s.objectName()]
        if not scene.every_slider:  # the others come at other sizes
            self._turn += 1
            found = found[self._turn % OTHERS :: OTHERS]
        for slider in found:
            yield from self._drag(slider)

    def _drag(self, slider: QSlider) -> Iterator[Act]:
        name = slider.objectName().removesuffix("_slider").removeprefix("param_")
        yield Act("press", f"press {name}", functools.partial(_take, slider), FRAME / 2)
        for value in self._path(slider):
            yield Act("drag", f"drag {name}", functools.partial(slider.setValue, value))
        looks = self._rng.random() < LOOKS
        yield Act("release", f"release {name}", functools.partial(gestures.let_handle_go, slider), FRAME / 2)
        if looks:
            yield Act("rest after drag", f"after {name}", None, SETTLE)

    def _path(self, slider: QSlider) -> list[int]:
        """There and back, a little, a fair part or the whole way."""
        low, high, home = slider.minimum(), slider.maximum(), slider.value()
        reach = max(3, round((high - low) * self._rng.choice((0.02, 0.2, 1.0))))
        target = min(max(home + self._rng.choice((-1, 1)) * reach, low), high)
        half = STEPS // 2
        there = [home + round((target - home) * step / half) for step in range(1, half + 1)]
        back = [target + round((home - target) * step / (STEPS - half)) for step in range(1, STEPS - half + 1)]
        return there + back

    # The mouse on a view ----------------------------------------------------------------------------------

    def _zoom(self, view: str) -> Iterator[Act]:
        plot = self._bench.window.panels[view].plot
        surface, area, rng = plot.viewport(), plot.area, self._rng
        place = QPointF(
            area.left() + rng.uniform(0.1, 0.9) * area.width(), area.top() + rng.uniform(0.1, 0.9) * area.height()
        )
        yield Act("hover", f"hover {view}", functools.partial(gestures.move, surface, place, held=False))
        for _ in range(rng.choice((3, 6))):
            yield Act("zoom", f"zoom into {view}", functools.partial(gestures.wheel, surface, place, 1))
        yield Act("rest after zoom", f"after the zoom of {view}", None, 0.1)
        yield Act("pan", f"press {view}", functools.partial(gestures.press, surface, place))
        for _ in range(5):
            place = place + QPointF(rng.uniform(-40, 40), rng.uniform(-40, 40))
            yield Act("pan", f"pan {view}", functools.partial(gestures.move, surface, place, held=True))
        yield Act("pan", f"let {view} go", functools.partial(gestures.release, surface, place))
        for _ in range(3):
            yield Act("zoom", f"zoom out of {view}", functools.partial(gestures.wheel, surface, place, -1))
        yield Act("zoom", f"all of {view}", functools.partial(gestures.double_click, surface, place), 0.05)

    # The window -------------------------------------------------------------------------------------------

    def _action(self, keys: str) -> QAction:
        actions = self._bench.window.findChildren(QAction)
        return next(action for action in actions if QKeySequence(keys) in action.shortcuts())

    def _resize(self) -> Iterator[Act]:
        window = self._bench.window
        for width, height in ((1400, 880), (1330, 840), (1250, 800), (1180, 760), (1300, 840), (1440, 900)):
            yield Act("resize", f"resize to {width} × {height}", functools.partial(window.resize, width, height))
        yield Act("rest", "after the resize", None, 0.2)


def _take(slider: QSlider) -> None:
    """Scroll to a slider and take its handle."""
    parent: QWidget | None = slider.parentWidget()
    while parent is not None and not isinstance(parent, QScrollArea):
        parent = parent.parentWidget()
    if parent is not None:
        parent.ensureWidgetVisible(slider)
    gestures.take_handle(slider)
