"""Words of the views neither overlap nor are cut, in every theme and in small panels."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter
from PySide6.QtWidgets import QApplication

from pe_desktop.theme import LIGHT, PROJECTOR, THEMES
from pe_desktop.views import AttentionView, MatrixView, RotationView, SimilarityView
from pe_desktop.views.axes import GAP as AXIS_GAP
from pe_desktop.views.axes import TICK, Axis
from pe_desktop.views.experiment import ExperimentView
from pe_desktop.views.letters import Letters
from pe_desktop.views.plate import inked
from pe_desktop.views.plotting import font
from pe_desktop.views.texts import _wrap_anything, wrap
from tests.views.plates import bars, experiment, heat, lines, waves

SIZES = ((560, 400), (350, 300))
MANY = " ".join(f"word{k}" for k in range(500))


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("words", ["The dog bit the man", MANY, "a supercalifragilisticexpialidocious b"])
def test_captions_and_labels_stay_with_their_map(lab, make, show, words, size, theme):
    view = show(AttentionView(lab, theme), *size)
    lab.show(attention=make.attention(words, swapped=(1, len(words.split()) - 1)))
    line = QFontMetricsF(font(theme.small)).height()
    captions = []
    for name in view.shown_maps():
        item = view.maps[name]
        assert item.title.text().startswith({"a": "A", "b": "B", "difference": "A"}[name])
        captions.append(item.title.sceneBoundingRect())
        layout = item.layout
        last = layout.cells.left() + (item.words.columns[-1][0] + 0.5) * layout.pitch[0]
        right = last + (line / 2 if layout.upright else layout.pitch[0] / 2)
        assert right <= item._slot.right() + 1
    room = QRectF(view.plot.rect()).adjusted(0, 0, 1, 0)
    assert all(room.contains(rect) for rect in captions)
    assert not any(a.intersects(b) for a, b in itertools.combinations(captions, 2))


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
@pytest.mark.parametrize("size", [(1000, 500), *SIZES, (300, 250)])
@pytest.mark.parametrize("words", ["The dog bit the man", "ein Eichhörnchen jagt Schmetterlinge"])
def test_the_label_of_two_words_is_whole_or_another(lab, make, show, words, size, theme):
    view = show(AttentionView(lab, theme), *size)
    lab.show(attention=make.attention(words, swapped=(1, 3)))
    for labels in (view.maps["difference"].words.rows, view.maps["difference"].words.columns):
        shown = dict(labels)
        assert all(not shown[slot].endswith("…") for slot in (1, 3) if slot in shown)
        assert all("/" in shown[slot] or str(slot) in shown[slot] for slot in (1, 3) if slot in shown)


def test_both_words_are_named_where_they_fit(lab, make, show):
    view = show(AttentionView(lab, LIGHT))
    lab.show(attention=make.attention(swapped=(1, 4)))
    assert dict(view.maps["difference"].words.rows)[1] == "dog/man"


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
@pytest.mark.parametrize("size", SIZES)
def test_labels_of_dials_never_touch(lab, make, show, size, theme):
    view = show(RotationView(lab, theme), *size)
    pairs = np.linspace(0, 4095, 32).astype(int)
    labels = tuple(f"{pair} · λ 6.28" for pair in pairs)
    lab.show(rotation=make.rotation(32, pairs=pairs, labels=labels))
    places = [place for place, text in view.labels.places() if text]
    assert len(places) >= 8
    assert all(QRectF(view.plot.rect()).contains(place.adjusted(0, 0, 0, -2)) for place in places)
    assert not any(a.intersects(b) for a, b in itertools.combinations(places, 2))


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
@pytest.mark.parametrize("size", SIZES)
def test_both_positions_are_named_whole_at_any_length(lab, make, show, size, theme):
    lab.state = lab.state.change({"length": 1_048_576, "position": 1_000_000, "key_position": 1_000_008})
    view = show(RotationView(lab, theme), *size)
    lab.show(rotation=make.rotation(position=1_000_000, key_position=1_000_008))
    QApplication.processEvents()
    legend = view.legend
    wanted = sum(legend._letters.width(text) for text in legend.shown) + 4 * legend.PAD + legend.APART
    assert wanted <= legend.width()
    assert legend.shown[0].endswith("1,000,000")


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
@pytest.mark.parametrize("size", [*SIZES, (260, 260)])
def test_the_tag_of_the_row_covers_neither_axis_nor_bar(lab, make, show, size, theme):
    view = show(MatrixView(lab, theme), *size)
    lab.show(matrix=make.matrix(shape=(1_048_576, 64), values=np.zeros((64, 64), np.float32), spot_row=500_000))
    area = view.plot.area
    assert view.spot_tag.text == "" or area.left() <= view.spot_tag.rect.left() <= view.spot_tag.rect.right()
    assert view.spot_tag.text == "" or view.spot_tag.rect.right() <= area.right() + 1


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_a_narrow_panel_has_three_lines_of_words(lab, make, show, theme):
    wide, narrow = (show(SimilarityView(lab, theme), width, 400) for width in (1400, 326))
    short, long = make.curve(sentence="Short."), make.curve(sentence="A sentence of more than two lines here. " * 9)
    heights = []
    for part in (short, long):
        lab.show(similarity=part)
        heights.append((wide.sentence.height(), narrow.sentence.height(), narrow.plot.height()))
    assert heights[0] == heights[1]
    line = QFontMetricsF(font(theme.small)).lineSpacing()
    assert narrow.sentence.height() >= 3 * line


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
@pytest.mark.parametrize("size", [*SIZES, (260, 260)])
@pytest.mark.parametrize("lowest", [-7e-6, -0.0034, -0.3, -9_000.0, -52_428.0, -550_502.0, -1_101_004.0, -4.2e11])
def test_no_number_of_an_axis_meets_its_name(lab, make, show, size, theme, lowest):
    view = show(SimilarityView(lab, theme), *size)
    lab.show(similarity=make.curve(y_range=(lowest, -lowest / 20), y_label="bias on the score"))
    axis, letters = view.plot.left_axis, Letters()
    letters.set_font(font(theme.small))
    assert len(axis.labels) >= 2
    assert axis.name == "bias on the score"
    assert all(len(text) <= 8 for _, text in axis.labels)
    numbers_left = view.plot.area.left() - TICK - AXIS_GAP - max(letters.width(text) for _, text in axis.labels)
    assert numbers_left >= letters.metrics.height()
    # The name is painted, and within its column: nothing but the ground lies between it and the numbers.
    picture = QImage(view.plot.size(), QImage.Format.Format_RGB32)
    picture.fill(QColor(theme.panel))
    painter = QPainter(picture)
    axis.draw(painter)
    painter.end()
    ground = QColor(theme.panel).rgb()
    inked = [any(picture.pixel(x, y) != ground for y in range(picture.height())) for x in range(int(numbers_left) + 1)]
    assert any(inked[: round(letters.metrics.height())])


def test_a_margin_too_narrow_for_both_has_no_name(qapp):
    axis = Axis("left")
    axis.set_theme(LIGHT)
    axis.set_labels([(20.0, "1,048,576")], "position")
    pictures = []
    for name in ("position", ""):
        axis.set_labels([(20.0, "1,048,576")], name)
        axis.set_rect(QRectF(0, 0, axis.margin(["1,048,576"]) - 2, 100))
        picture = QImage(100, 100, QImage.Format.Format_RGB32)
        picture.fill(QColor("white"))
        painter = QPainter(picture)
        axis.draw(painter)
        painter.end()
        pictures.append(picture)
    assert pictures[0] == pictures[1]


def test_a_long_title_takes_smaller_type_before_it_is_cut(lab, make, show):
    view = show(SimilarityView(lab, PROJECTOR), 300, 300)
    lab.show(similarity=make.curve(title="Bias from spot 12, head 5"))
    assert view.header.cut == "Bias from spot 12, head 5 · each point is 1 position"
    assert view.header._title_letters.width(view.header.title) <= view.header.width()


def test_known_widths_break_lines_as_qt_does(qapp):
    letters = Letters()
    letters.set_font(font(9.0))
    generator = np.random.default_rng(1)
    for _ in range(200):
        words = ["p" * generator.integers(1, 9) + "W." * generator.integers(0, 3) for _ in range(30)]
        width = float(generator.uniform(200, 600))
        lines = wrap(" ".join(words), letters, width, 99)
        assert lines == _wrap_anything(" ".join(words), letters.font, width)
        assert all(letters.metrics.horizontalAdvance(line) <= width + 1 for line in lines)


def test_a_word_wider_than_the_line_is_broken(qapp):
    letters = Letters()
    letters.set_font(QFont())
    assert len(wrap("w" * 300, letters, 200.0, 3)) == 3


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_muted_words_can_be_read(theme):
    def light(colour):
        parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in QColor(colour).getRgbF()[:3]]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    for ground in (theme.panel, theme.window):
        low, high = sorted((light(theme.muted), light(ground)))
        assert (high + 0.05) / (low + 0.05) >= 4.5


LONG = "a name of a great many words"
PLATES = {
    "words": lambda: (heat(digits=2), heat(60, title=LONG), heat(1, title="One word")),
    "numbers": lambda: (waves(), waves(3, 2, first_row=1_000_000, title=LONG, note=LONG)),
    "long words": lambda: (heat(row_labels=(LONG,) * 5, column_labels=(LONG,) * 5, high=1.2345e-9), heat(30)),
    "lines": lambda: (lines(), lines(title=LONG, x_log=False, y_log=True, y_range=(1e-12, 1e3), x_name=LONG)),
    "marks": lambda: (lines(marks=tuple((k, f"mark {k}") for k in range(1, 100, 7))), lines(y_name=LONG)),
    "bars": lambda: (bars(), bars(values=bars().values * 1e7, names=(LONG, "b", "c"), value_name=LONG)),
    "many bars": lambda: (bars(names=("a",) * 80, values=np.ones((80, 2))), heat(), lines(), bars()),
}


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
@pytest.mark.parametrize("size", [(1400, 800), *SIZES, (300, 200)])
@pytest.mark.parametrize("kind", PLATES)
def test_words_of_plates_stay_within_their_plate_and_apart(lab, show, kind, size, theme):
    view = show(ExperimentView(lab, theme), *size)
    lab.show(experiment=experiment(*PLATES[kind]()))
    QApplication.processEvents()
    for item in view.plates:
        slot = item.boundingRect().adjusted(-1, -1, 1, 1)
        words = [inked(word, item.line) for word in item.words]
        assert all(slot.contains(word) for word in words)
        assert not any(a.intersects(b) for a, b in itertools.combinations(words, 2))
    slots = [item.boundingRect() for item in view.plates]
    assert all(QRectF(view.plot.rect()).contains(slot) for slot in slots)
    assert not any(a.intersects(b) for a, b in itertools.combinations(slots, 2))


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
@pytest.mark.parametrize("size", [(560, 400), (1400, 800)])
def test_pictures_of_plates_keep_clear_of_their_words(lab, show, size, theme):
    view = show(ExperimentView(lab, theme), *size)
    lab.show(experiment=experiment(heat(), waves(), bars()))
    first, second, third = view.plates
    for item in (first, second):
        assert not any(item.cells.intersects(word.rect) for word in item.words)
    inks = [inked(word, third.line) for word in third.words]
    assert not any(ink.intersects(rect) for ink in inks for rect, _, _ in third.bars if rect.width())
