import gc
import weakref

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QRectF, Qt
from PySide6.QtGui import QHelpEvent, QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip, QVBoxLayout, QWidget

import pe_desktop.core.schemes  # noqa: F401  (registers every scheme)
from pe_desktop.core.parts import Viewport
from pe_desktop.core.scheme import REGISTRY
from pe_desktop.core.snapshot import compute
from pe_desktop.core.state import LabState
from pe_desktop.model.lab import Lab
from pe_desktop.theme import LIGHT, PROJECTOR, THEMES
from pe_desktop.views import AttentionView, MatrixView, RotationView, SimilarityView
from pe_desktop.views.letters import Letters
from pe_desktop.views.plotting import real_texts, short_text, ticks, whole_text
from pe_desktop.views.texts import LEAST_POINTS, SMALLER, SMALLEST, wrap

VIEWS = (MatrixView, SimilarityView, RotationView, AttentionView)
SITUATIONS = {
    "default": {},
    "swap": {"swap": True, "causal": True},
    "two": {"length": 2, "dimension": 2, "sentence": "one"},
    "million": {"length": 1_048_576, "dimension": 512, "position": 400_000},
    "heads": {"scheme": "alibi", "params": {"heads": 128}, "head": 100},
    "learned end": {"scheme": "learned", "length": 1000, "position": 900},
    "rope": {"scheme": "rope"},
    "none": {"scheme": "none"},
    "integer": {"scheme": "integer"},
    "empty": {"sentence": ""},
    "many words": {"sentence": "word " * 500, "length": 600},
    "scripts": {"sentence": "שלום 🎉🎉 مرحبا", "swap": True},
}


def told_by(widget):
    """The tooltip a person gets."""
    QApplication.sendEvent(widget, QHelpEvent(QEvent.Type.ToolTip, QPoint(), QPoint()))
    QToolTip.hideText()
    return widget.toolTip()


@pytest.mark.parametrize("view_class", VIEWS)
@pytest.mark.parametrize("situation", SITUATIONS)
def test_every_situation_is_drawn_or_explained(qtbot, show, view_class, situation):
    lab = Lab(LabState().change(SITUATIONS[situation]), blocking=True)
    view = show(view_class(lab, LIGHT))
    lab.flush()
    for theme in THEMES.values():
        view.set_theme(theme)
        for size in ((560, 400), (350, 300)):
            view.resize(*size)
            view.grab()
    assert view.header.title
    assert view.plot.isVisible() != view.message.isVisible()
    assert view.message.text if view.message.isVisible() else view.sentence.text
    assert view.accessibleDescription()
    lab.close()


@pytest.mark.parametrize("view_class", VIEWS)
def test_a_closed_view_is_freed(qtbot, lab, make, view_class):
    view = view_class(lab, LIGHT)
    view.resize(500, 400)
    view.show()
    lab.show(
        matrix=make.matrix(),
        similarity=make.curve(),
        rotation=make.rotation(),
        attention=make.attention(swapped=(0, 1)),
    )
    view.grab()
    gone = weakref.ref(view)
    view.close()
    view.deleteLater()
    del view
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    assert gone() is None
    lab.show(matrix=make.matrix(), similarity=make.curve(), rotation=make.rotation(), attention=make.attention())


def test_changing_words_never_relayouts(qtbot, lab, make, show):
    box = QWidget()
    layout = QVBoxLayout(box)
    view = MatrixView(lab, LIGHT)
    layout.addWidget(view)
    show(box)
    lab.show(matrix=make.matrix())
    geometry = view.plot.geometry()

    class Watch(QWidget):
        asked = 0

        def eventFilter(self, watched, event):
            self.asked += event.type() == QEvent.Type.LayoutRequest
            return False

    watch = Watch()
    qtbot.addWidget(watch)
    for widget in (box, view):
        widget.installEventFilter(watch)
    lab.show(matrix=make.matrix(sentence="word " * 80, title="Another title", pixel="another note"))
    QCoreApplication.processEvents()
    assert watch.asked == 0
    assert view.plot.geometry() == geometry


def test_a_sentence_too_long_ends_in_dots_and_is_told_in_the_tooltip(lab, make, show):
    view = show(MatrixView(lab, LIGHT), 350, 300)
    lab.show(matrix=make.matrix(sentence="A long sentence. " * 20))
    shown = view.sentence.shown
    assert shown[-1].endswith("…")
    assert len(shown) * view.sentence._used.metrics.lineSpacing() <= view.sentence.height()
    assert told_by(view.sentence) == "A long sentence. " * 20


def test_a_sentence_that_does_not_fit_is_written_smaller_before_it_is_cut(lab, make, show):
    view = show(MatrixView(lab, LIGHT), 350, 300)
    sizes = {}
    for count in (2, 13, 40):
        text = "A long sentence. " * count
        lab.show(matrix=make.matrix(sentence=text))
        shown = view.sentence.shown
        sizes[count] = view.sentence._used.font.pointSizeF()
        assert (" ".join(shown) == text.strip()) == (count < 40)
        assert told_by(view.sentence) == ("" if count < 40 else text)
    assert sizes[2] == LIGHT.small
    assert sizes[13] == sizes[40] == SMALLER * LIGHT.small


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_a_sentence_shrinks_in_steps_but_never_below_what_can_be_read(lab, make, show, theme):
    view = show(MatrixView(lab, theme), 327, 347)
    sizes, heights = [], set()
    for count in range(1, 60):
        lab.show(matrix=make.matrix(sentence="A sentence. " * count))
        assert len(view.sentence.shown) * view.sentence._used.metrics.lineSpacing() <= view.sentence.height()
        sizes.append(view.sentence._used.font.pointSizeF())
        heights.add(view.sentence.height())
    assert sizes == sorted(sizes, reverse=True)
    assert len(heights) == 1
    assert sizes[0] == theme.small
    assert SMALLER * theme.small in sizes
    assert sizes[-1] == max(SMALLEST * theme.small, LEAST_POINTS)


STRETCHED = (
    {"extension": "linear", "factor": 8.0},
    {"extension": "ntk", "factor": 8.0},
    {"extension": "dynamic", "factor": 8.0},
    {"extension": "yarn", "factor": 8.0},
    {"extension": "longrope"},
    {"extension": "llama3", "factor": 8.0},
    {"extension": "proportional"},
)
SCHEMES = [("rope", params) for params in STRETCHED] + [(name, {}) for name in REGISTRY]


@pytest.mark.parametrize("length", [128, 1_048_576])
@pytest.mark.parametrize(("scheme", "params"), SCHEMES)
def test_sentences_of_matrix_and_curve_are_whole_on_a_projector(lab, show, scheme, params, length):
    """Two panels in the window of 1024 x 768."""
    far = {"length": length, "position": length - 48_573 if length > 128 else 12, "key_position": length - 17}
    state = LabState().change({"scheme": scheme, "params": params, "causal": True, **far})
    shown = compute(state, Viewport(matrix=(240, 120), curve=220), full=False)
    for kind, part in ((MatrixView, shown.matrix), (SimilarityView, shown.similarity)):
        view = show(kind(lab, PROJECTOR), 328, 347)
        lab.state = state
        lab.show(**{view.part_name: part})
        assert (view.message if view.sentence.isHidden() else view.sentence).text == part.sentence
        assert view.sentence.cut == ""


def test_wrapping_keeps_letters_beyond_the_basic_plane(qapp):
    lines = wrap("🎉 " * 10 + "end", Letters(), 10_000, 2)
    assert lines == ["🎉 " * 10 + "end"]


def test_the_header_drops_the_note_first(lab, make, show):
    view = show(MatrixView(lab, LIGHT), 200, 300)
    lab.show(matrix=make.matrix())
    assert view.header.title == "Encoding matrix"
    assert told_by(view.header).startswith("Encoding matrix · each cell")


def test_the_header_says_what_a_pixel_is_in_fewer_words_where_it_must(lab, make, show):
    words = "mean of 2,945 positions × 22.5 dimensions"
    view = show(MatrixView(lab, LIGHT), 700, 300)
    lab.show(matrix=make.matrix(pixel=words))
    wide = view.header.shown_note
    view.resize(330, 300)
    QApplication.processEvents()
    assert (wide, view.header.shown_note) == (words, "2,945 × 22.5 cells")
    assert told_by(view.header) == f"Encoding matrix · {words}"


def test_the_tab_key_reaches_plots_with_keys_and_shows_it(lab, make, show):
    view = show(MatrixView(lab, LIGHT))
    assert view.plot.focusPolicy() & Qt.FocusPolicy.TabFocus
    rotation = show(RotationView(lab, LIGHT))
    assert rotation.plot.focusPolicy() == Qt.FocusPolicy.NoFocus


def test_other_keys_are_left_to_the_window(lab, make, show):
    box = QWidget()
    layout = QVBoxLayout(box)
    view = MatrixView(lab, LIGHT)
    layout.addWidget(view)
    seen = []
    box.keyPressEvent = lambda event: seen.append(event.key())
    show(box)
    lab.show(matrix=make.matrix())
    QTest.keyClick(view.plot, Qt.Key.Key_F5)
    assert seen == [Qt.Key.Key_F5]


@pytest.mark.parametrize("view_class", VIEWS)
def test_the_scene_can_be_rendered_at_another_size(lab, make, show, view_class):
    view = show(view_class(lab, LIGHT))
    lab.show(matrix=make.matrix(), similarity=make.curve(), rotation=make.rotation(), attention=make.attention())
    picture = QImage(1120, 800, QImage.Format.Format_RGB32)
    picture.fill(0xFFFFFFFF)
    painter = QPainter(picture)
    view.plot.scene().prepareForPaint()
    view.plot.scene().render(painter, QRectF(picture.rect()), QRectF(view.plot.rect()))
    painter.end()
    assert len({picture.pixel(x, y) for x in range(0, 1120, 7) for y in range(0, 800, 7)}) > 3


def test_texts_of_numbers():
    assert whole_text(1234, 1) == "1,234"
    assert whole_text(200_000, 100_000) == "200k"
    assert whole_text(1_048_576, 1) == "1,048,576"
    assert whole_text(1_200_000, 200_000) == "1.2M"
    assert real_texts([-0.5, 0.0, 1.0], 0.5) == ["\u22120.5", "0", "1.0"]
    assert real_texts([-6000.0, -9000.0], 3000) == ["\u22126,000", "\u22129,000"]
    assert real_texts([-400_000.0, -200_000.0, 0.0], 200_000) == ["\u2212400k", "\u2212200k", "0"]
    assert real_texts([-1_000_000.0, -500_000.0], 500_000) == ["\u22121.0M", "\u22120.5M"]
    assert real_texts([5000.0, 10_000.0], 5000) == ["5k", "10k"]
    assert real_texts([9500.0, 10_000.0], 500) == ["9.5k", "10.0k"]
    assert real_texts([2e-5], 1e-5) == ["2.0e\u22125"]
    assert real_texts([3e12], 1e12) == ["3.0e12"]
    assert real_texts([], 1.0) == []
    assert short_text(-0.0) == "0"
    assert short_text(120.42) == "120.4"
    assert short_text(1_048_575) == "1.0e6"
    assert ticks(0, 127, 5, whole=True) == ([0, 50, 100], 50)
    assert ticks(0, 1, 10, whole=True) == ([0, 1], 1)
