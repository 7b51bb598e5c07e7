"""The section of the experiment."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit

from pe_desktop.controls.experiment_panel import ExperimentPanel
from pe_desktop.controls.rows import FieldRow
from pe_desktop.core.experiment import every_experiment
from pe_desktop.core.state import LabState
from pe_desktop.theme import THEMES


@pytest.fixture
def panel(dock):
    return dock.findChild(ExperimentPanel)


def pick(combo, text):
    """Choose an entry with the keyboard."""
    combo.setFocus()
    QTest.keyClick(combo, Qt.Key.Key_Home)
    while not combo.currentText().startswith(text):
        before = combo.currentIndex()
        QTest.keyClick(combo, Qt.Key.Key_Down)
        assert combo.currentIndex() > before, f"no entry {text!r}"


def unfold(panel):
    QTest.mouseClick(panel.header, Qt.MouseButton.LeftButton, pos=QPoint(20, panel.header.height() // 2))


def names(panel):
    """The parameters whose rows can be seen."""
    return [name for name, row in panel.field_rows().items() if row.isVisible()]


def test_folded_at_first_it_names_the_experiments_once_it_is_unfolded(panel):
    assert not panel.body.isVisible()
    assert (panel.header.text(), panel.header.summary) == ("Experiment", "questions to try out")
    combo = panel.findChild(QComboBox, "experiment")
    assert combo.count() == 0
    unfold(panel)
    assert (panel.header.summary, combo.currentText()) == ("Shuffle", "Shuffle")
    assert names(panel) == ["order"]
    kinds = every_experiment()
    assert [combo.itemData(index) for index in range(combo.count())] == [kind.id for kind in kinds]
    assert [combo.itemText(index) for index in range(combo.count())] == [kind.title for kind in kinds]
    for index, kind in enumerate(kinds):
        told = combo.itemData(index, Qt.ItemDataRole.ToolTipRole)
        assert " ".join(told.split()).startswith(f"{kind.question} Source: ")


def test_choosing_an_experiment_shows_its_parameters(dock, panel, lab, settle, qtbot):
    unfold(panel)
    with qtbot.waitSignal(dock.experiment_chosen):
        pick(panel.findChild(QComboBox, "experiment"), "Every layer")
    settle()
    assert lab.state.experiment == "layers"
    assert lab.requests[-1] == {"experiment": "layers"}
    assert names(panel) == ["layers", "normalise"]
    assert panel.header.summary == "Every layer"


@pytest.mark.parametrize("kind", every_experiment(), ids=lambda kind: kind.id)
def test_every_experiment_has_the_rows_of_its_parameters(panel, lab, settle, kind):
    lab.put(experiment=kind.id)
    panel.unfold()
    settle()
    experiment = lab.state.built_experiment
    assert names(panel) == [about.name for about in kind.parameters() if experiment.uses(about)]
    assert panel._nothing.isVisible() == (not names(panel))
    assert panel._nothing.text() == "This experiment has no parameters."


def test_rows_change_the_experiment_alone(panel, lab, settle):
    lab.put(experiment="layers")
    settle()
    edit = panel.findChild(QLineEdit, "experiment_params_layers_edit")
    edit.setFocus()
    edit.selectAll()
    QTest.keyClicks(edit, "5")
    QTest.keyClick(edit, Qt.Key.Key_Return)
    assert lab.requests[-1] == {"experiment_params": {"layers": 5}}
    box = panel.findChild(QCheckBox, "experiment_params_normalise")
    QTest.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(8, box.height() // 2))
    assert lab.state.experiment_params == {"layers": {"layers": 5, "normalise": False}}
    assert lab.state.params == {}


def test_parameters_are_kept_per_experiment(panel, lab, settle):
    lab.put(experiment="layers", experiment_params={"layers": 5})
    lab.put(experiment="counter")
    lab.put(experiment="layers")
    settle()
    assert panel.findChild(QLineEdit, "experiment_params_layers_edit").text() == "5"


def test_a_refusal_stands_beside_its_row(dock, panel, lab, settle):
    lab.put(experiment="layers")
    settle()
    edit = panel.findChild(QLineEdit, "experiment_params_layers_edit")
    edit.setFocus()
    edit.selectAll()
    QTest.keyClicks(edit, "1000")
    QTest.keyClick(edit, Qt.Key.Key_Return)
    assert "48" in panel.field_rows()["layers"].error_text()
    assert lab.state.experiment_params == {}
    assert dock.shows_field("experiment")


def test_what_is_not_the_first_unfolds_the_section(panel, lab, settle):
    lab.put(experiment="norms")
    settle()
    assert panel.body.isVisible()
    unfold(panel)
    lab.put(experiment="shuffle")
    settle()
    assert not panel.body.isVisible()


def test_a_dock_of_another_experiment_starts_unfolded(show_dock, lab):
    lab.state = LabState().change({"experiment": "norms"})
    dock = show_dock(lab)
    panel = dock.findChild(ExperimentPanel)
    assert panel.body.isVisible()
    assert panel.header.summary == "Norms"


def test_tab_goes_through_the_section(dock, panel, lab, settle):
    lab.put(experiment="layers")
    settle()
    panel.header.setFocus()
    seen = [dock.window().focusWidget().objectName()]
    for _ in range(4):
        QTest.keyClick(dock.window().focusWidget(), Qt.Key.Key_Tab)
        seen.append(dock.window().focusWidget().objectName())
    assert seen[:2] == ["experiment_params_header", "experiment"]
    assert "experiment_params_normalise" in seen


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_it_takes_every_theme(dock, panel, lab, settle, theme):
    dock.set_theme(theme)
    lab.put(experiment="norms")
    settle()
    rows = panel.findChildren(FieldRow)
    assert all(row.width() <= dock.width() for row in rows)
    assert panel.choice._label.width() == panel.field_rows()["multiply"]._look.label_width
