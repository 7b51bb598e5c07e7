"""The window's own craft: undo, themes, sessions, pictures, messages, settings, errors."""

from __future__ import annotations

import json

import pytest
from PySide6.QtCore import QByteArray, QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent, QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QLineEdit, QPushButton

from pe_desktop.core.errors import FieldError
from pe_desktop.core.state import LabState, from_json
from pe_desktop.session_file import save_session
from pe_desktop.shell.main_window import MainWindow
from pe_desktop.shell.settings import Settings
from pe_desktop.shell.troubles import Troubles
from pe_desktop.theme import THEMES


def key(person, sequence: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.ControlModifier) -> None:
    QTest.keyClick(person.window, sequence, modifier)
    person.settle()


def test_one_undo_entry_for_a_drag(person):
    person.drag("position", 0.8)
    moved = person.lab.state.position
    assert moved > 60
    assert person.lab.undo_stack.count() == 1
    key(person, Qt.Key.Key_Z)
    assert person.lab.state == LabState()
    assert person.window.findChild(type(person.window.centre.strip._formula), "formula").text().startswith("PE(12")
    key(person, Qt.Key.Key_Y)
    assert person.lab.state.position == moved


@pytest.mark.parametrize("length", [128, 1_048_576])
@pytest.mark.parametrize("scheme", ["rope", "xpos", "mrope"])
def test_what_a_cell_of_the_matrix_is_can_be_read_whole(person, scheme, length):
    person.lab.request(scheme=scheme, length=length)
    person.settle()
    header = person.window.panels["matrix"].header
    assert person.window.panels["matrix"].part.kind == "cos_sin"
    assert header.cut == ""


def test_reset_can_be_undone(person):
    person.choose("scheme", "RoPE")
    person.type("dimension", "128")
    before = person.lab.state
    key(person, Qt.Key.Key_R)
    assert person.lab.state == LabState()
    key(person, Qt.Key.Key_Z)
    assert person.lab.state == before


def test_cursor_is_one_everywhere_and_computes_nothing(person, monkeypatch):
    snapshot = person.lab.snapshot
    surface = person.window.panels["matrix"].plot.viewport()
    QTest.mouseMove(surface, QPoint(surface.width() // 2, surface.height() // 2))
    cursor = person.lab.cursor
    assert cursor.view == "matrix"
    assert person.lab.formula.startswith(f"PE({cursor.position}, {cursor.column}) = ")
    value = float(person.lab.formula.rsplit("= ", 1)[1].replace("\u2212", "-"))
    assert value == pytest.approx(person.lab.state.built.encode([cursor.position])[0, cursor.column], abs=5e-5)
    assert person.lab.snapshot is snapshot


def test_click_in_the_curve_sets_the_spot(person):
    surface = person.window.panels["similarity"].plot.viewport()
    QTest.mouseClick(surface, Qt.MouseButton.LeftButton, pos=QPoint(surface.width() // 2, surface.height() // 2))
    person.settle()
    assert 40 < person.lab.state.position < 90
    assert person.sentence("similarity").startswith(f"Peak at spot {person.lab.state.position}")


def test_click_in_the_attention_sets_query_and_key(person):
    view = person.window.panels["attention"]
    surface = view.plot.viewport()
    person.lab.request(position=0, key_position=0)
    person.settle()
    QTest.mouseClick(surface, Qt.MouseButton.LeftButton, pos=QPoint(surface.width() // 2, surface.height() // 2))
    person.settle()
    assert 0 <= person.lab.state.position < 5
    assert 0 <= person.lab.state.key_position < 5
    assert (person.lab.state.position, person.lab.state.key_position) != (0, 0)


@pytest.mark.parametrize("name", list(THEMES))
def test_every_theme_reaches_the_pixels(person, name):
    while person.window.theme.name != name:
        key(person, Qt.Key.Key_T)
    image = person.window.grab().toImage()
    assert image.pixelColor(1436, 500).name().upper() == THEMES[name].window.upper()
    assert Settings().theme in ("system", *THEMES)


def test_session_round_trip_by_dialog_and_drop(person, tmp_path, monkeypatch):
    person.choose("scheme", "RoPE")
    person.type("param_base", "500000")
    saved = person.lab.state
    target = tmp_path / "mine.pelab"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *a, **k: (str(target), ""))
    key(person, Qt.Key.Key_S)
    assert from_json(json.loads(target.read_text(encoding="utf-8"))) == saved
    key(person, Qt.Key.Key_R)
    assert person.lab.state == LabState()
    drop(person.window, target)
    person.settle()
    assert person.lab.state == saved


def drop(window: MainWindow, path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    event = QDropEvent(
        QPointF(50, 50), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    window.dropEvent(event)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "not JSON"),
        (b"\xff\xfe\x00", "not UTF-8"),
        (b"[" * 100_000, "not JSON"),
        (b'{"format": "pe-desktop session", "version": 99}', "version 99"),
        (b'{"format": "pe-desktop session", "version": 1, "dimension": 1e999}', "finite"),
        (b'{"format": "pe-desktop session", "version": 1, "position": 4096}', "0 and 127"),
        (b"x" * (2 << 20), "larger than"),
    ],
)
def test_damaged_sessions_are_refused_in_one_sentence(person, tmp_path, content, words):
    path = tmp_path / "bad.pelab"
    path.write_bytes(content)
    before = person.lab.state
    drop(person.window, path)
    assert person.lab.state == before
    assert person.window.messages.isVisible()
    assert words in person.window.messages.text
    assert "bad.pelab" in person.window.messages.text


def test_a_success_takes_an_older_refusal_away(person, tmp_path):
    bad, good = tmp_path / "bad.pelab", tmp_path / "good.pelab"
    bad.write_bytes(b"")
    save_session(person.lab.state, str(good))
    for state in ({}, {"position": 9}):  # the file opened is the state there is, and another
        person.lab.request(**state)
        drop(person.window, bad)
        assert person.window.messages.isVisible()
        drop(person.window, good)
        assert not person.window.messages.isVisible()
    drop(person.window, bad)
    person.type("position", "11")
    assert not person.window.messages.isVisible()
    person.window.messages.tell("Saved")
    person.type("position", "12")
    assert person.window.messages.isVisible()


def test_a_directory_and_a_missing_file(person, tmp_path):
    for path in (tmp_path, tmp_path / "none.pelab"):
        drop(person.window, path)
        assert str(path) in person.window.messages.text


def test_picture_of_the_window(person, tmp_path, monkeypatch):
    for ending, start in ((".png", b"\x89PNG"), (".svg", b"<?xml"), (".pdf", b"%PDF")):
        target = tmp_path / f"shot{ending}"
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *a, target=target, **k: (str(target), ""))
        key(person, Qt.Key.Key_P)
        assert target.read_bytes().startswith(start)
    image = QImage(str(tmp_path / "shot.png"))
    assert (image.width(), image.height()) == (1440, 900)
    assert "dimension 64" in image.text("Title")


def test_unwritable_picture_is_one_sentence(person, tmp_path, monkeypatch):
    target = tmp_path / "no" / "such" / "folder.png"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *a, **k: (str(target), ""))
    key(person, Qt.Key.Key_P)
    assert "cannot be written" in person.window.messages.text


def test_a_fix_in_the_message_bar_is_carried_out(person):
    person.window.dock.hide()
    person.lab.request(scheme="rope")
    person.settle()
    assert not person.lab.request(dimension=65)
    bar = person.window.messages
    assert bar.isVisible()
    button = next(b for b in bar.findChildren(QPushButton) if b.text() == "Use 66")
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    person.settle()
    assert person.lab.state.dimension == 66
    assert bar.isHidden()


def test_damaged_settings_start_visible(tmp_path, person, another_window):
    path = tmp_path / "damaged.ini"
    settings = Settings(path)
    settings.geometry = QByteArray(b"nonsense")
    settings.layout = QByteArray(b"nonsense")
    settings.theme = "no such theme"
    settings.save()
    window = another_window(person.lab, Settings(path), Settings(path).theme)
    window.restore()
    window.show()
    assert Settings(path).theme == "system"
    assert window.width() >= 700
    assert QGuiApplication.primaryScreen().availableGeometry().intersects(window.geometry())


def test_off_screen_settings_start_visible(tmp_path, person, another_window):
    settings = Settings(tmp_path / "far.ini")
    person.window.move(-9000, -9000)
    settings.geometry = person.window.saveGeometry()
    window = another_window(person.lab, settings)
    window.restore()
    window.show()
    assert QGuiApplication.primaryScreen().availableGeometry().contains(window.geometry().center())


def test_an_unexpected_exception_is_logged_shown_and_survived(person, tmp_path, qtbot):
    log = tmp_path / "logs" / "pe.log"
    troubles = Troubles(person.window, log)
    troubles.install()
    try:
        try:
            raise ZeroDivisionError("a bug nobody foresaw")
        except ZeroDivisionError as error:
            troubles.report(error)
        qtbot.waitUntil(lambda: troubles.dialog is not None and troubles.dialog.isVisible())
        assert "a bug nobody foresaw" in troubles.dialog.report
        assert "a bug nobody foresaw" in log.read_text(encoding="utf-8")
        copy = troubles.dialog.findChild(QPushButton, "trouble_copy")
        QTest.mouseClick(copy, Qt.MouseButton.LeftButton)
        assert "ZeroDivisionError" in QGuiApplication.clipboard().text()
        assert not troubles.dialog.isModal()
        person.type("position", "30")
        assert person.lab.state.position == 30
    finally:
        troubles.dialog.close()
        troubles.remove()


def test_a_failing_job_is_reported_and_the_lab_goes_on(person, monkeypatch, qtbot):
    from pe_desktop.core import snapshot as module  # where the worker's stages look it up

    real = module.compute

    def broken(*args, full=True, **kwargs):
        if full:
            raise RuntimeError("scan broke")
        return real(*args, full=full, **kwargs)

    monkeypatch.setattr(module, "compute", broken)
    with qtbot.waitSignal(person.lab.broke, timeout=10_000) as caught:
        person.lab.request(length=1 << 20)
    assert "scan broke" in str(caught.args[0])
    monkeypatch.setattr(module, "compute", real)
    person.lab.request(length=64)
    person.settle()
    assert person.lab.snapshot.state.length == 64


def test_message_bar_is_not_for_what_the_dock_shows(person):
    person.lab.failed.emit(FieldError("dimension", "Model dimension is too odd."))
    assert person.window.messages.isHidden()
    person.lab.failed.emit(FieldError("nowhere", "Something else."))
    assert person.window.messages.text == "Something else."


@pytest.mark.parametrize("name", ["dimension", "length", "position", "param_base"])
def test_undo_in_a_number_field_is_the_laboratorys(person, name):
    before = person.lab.state
    person.type(name, "32")
    assert person.lab.state != before
    edit = person.find(QLineEdit, f"{name}_edit")
    assert edit.hasFocus()
    QTest.keyClick(edit, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    person.settle()
    assert person.lab.state == before
    shown = float(edit.text())
    assert shown == {"dimension": 64, "length": 128, "position": 12, "param_base": 10000}[name]
    QTest.keyClick(edit, Qt.Key.Key_Y, Qt.KeyboardModifier.ControlModifier)
    person.settle()
    assert edit.text() == "32"
    edit.selectAll()
    QTest.keyClicks(edit, "77")
    QTest.keyClick(person.window, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)
    person.settle()
    assert float(edit.text()) == shown
    assert person.lab.state == before


def test_hovering_a_column_rings_its_dial(person):
    surface = person.window.panels["matrix"].plot.viewport()
    for x in (surface.width() // 3, surface.width() // 2):
        QTest.mouseMove(surface, QPoint(x, surface.height() // 3))
    cursor = person.lab.cursor
    assert cursor.pair == cursor.column // 2


def test_the_dock_is_as_wide_after_the_projector_as_before(person):
    before = person.window.dock.width()
    for _ in range(3):
        key(person, Qt.Key.Key_T)
    assert person.window.theme.name == "light"
    QApplication.processEvents()
    assert person.window.dock.width() == before


def test_the_formula_shrinks_before_it_is_cut(person):
    person.window.resize(1024, 768)
    person.lab.request(scheme="rope")
    person.settle()
    assert person.window.centre.strip.text == person.find(QLabel, "formula").text()
    while person.window.theme.name != "projector":
        key(person, Qt.Key.Key_T)
    shown = person.find(QLabel, "formula")
    assert shown.text() == person.window.centre.strip.text
    assert shown.fontMetrics().horizontalAdvance(shown.text()) <= shown.width()


@pytest.mark.parametrize("text", ["abc", "zz", "9999999"])
def test_reset_drops_refused_and_half_typed_texts(person, text):
    edit = person.find(QLineEdit, "dimension_edit")
    person.type("dimension", text)
    assert person.lab.state == LabState()
    half = person.find(QLineEdit, "length_edit")
    half.setFocus()
    half.selectAll()
    QTest.keyClicks(half, "7")
    key(person, Qt.Key.Key_R)
    assert (edit.text(), half.text()) == ("64", "128")
    visible = [w.text() for w in person.window.findChildren(QLabel) if w.isVisible() and "⚠" in w.text()]
    assert visible == []


def test_the_undo_button_names_the_parameter(person):
    person.type("param_base", "500")
    assert person.lab.undo_stack.undoText() == "Base"
