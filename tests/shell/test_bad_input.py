"""Bad input in the window: one plain sentence or a defined result, and the state before stays."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtWidgets import QLabel, QPushButton

from pe_desktop.core.scheme import REGISTRY


def said(person) -> str:
    """Every sentence of refusal that can be seen now."""
    lines = [w.text() for w in person.window.findChildren(QLabel) if w.isVisible() and "error" in w.objectName()]
    parents = [w for w in person.window.findChildren(QLabel) if w.isVisible() and "error" in w.parent().objectName()]
    bar = person.window.messages
    return " ".join([*lines, *(w.text() for w in parents), bar.text if bar.isVisible() else ""])


@pytest.mark.parametrize("text", ["", "   ", "one"])
def test_sentences_with_nothing_to_swap(person, text):
    person.tick("swap")
    person.write(text)
    assert person.lab.state.sentence == text
    assert person.readout("input_gap") == "–"
    assert "no two words" in person.note("input_gap")
    assert person.sentence("attention") != ""
    shown = person.lab.snapshot.attention.weights_a
    assert shown.shape == (len(text.split()),) * 2


def test_five_hundred_words(person):
    words = " ".join(f"w{i}" for i in range(500))
    person.lab.request(sentence=words, length=600, swap=True)
    person.settle()
    part = person.lab.snapshot.attention
    assert part.weights_a.shape == (500, 500)
    assert np.allclose(part.weights_a.sum(axis=1), 1.0, atol=1e-5)
    assert part.weights_b.shape == (500, 500)
    assert person.number("input_gap") > 0


@pytest.mark.parametrize("text", ["🙂 👩‍👩‍👧‍👦 ok", "مرحبا بالعالم صديقي", "שלום עולם", "e\u0301 é café", "a\tb\nc"])
def test_any_script(person, text):
    person.lab.request(sentence=text, swap=True)
    person.settle()
    assert person.lab.snapshot.attention.tokens_a == tuple(person.lab.state.words)
    assert len(person.lab.state.words) == len(text.split())
    person.window.grab()
    assert person.window.messages.isHidden()


def test_the_same_word_twice(person):
    person.write("dog bites dog")
    person.tick("swap")
    assert person.lab.request(swap_words=(0, 2))
    person.settle()
    assert person.readout("input_gap") == "0.000"
    assert "same word" in person.note("input_gap")
    before = person.lab.state
    assert not person.lab.request(swap_words=(1, 1))
    assert person.lab.state == before
    assert "swapped with itself" in said(person)


def test_odd_dimension_is_drawn_or_refused_with_the_nearest(person):
    person.type("dimension", "65")
    assert person.lab.state.dimension == 65
    assert "odd" in person.sentence("matrix")
    assert "column 64" in person.sentence("matrix")
    combo_before = person.lab.state
    person.lab.request(scheme="rope")
    assert person.lab.state == combo_before
    sentence = said(person)
    assert "64 and 66" in sentence
    fixes = [b for b in person.window.findChildren(QPushButton) if b.isVisible() and b.text().startswith("Use 6")]
    assert {b.text() for b in fixes} == {"Use 64", "Use 66"}


@pytest.mark.parametrize(
    ("typed", "base"), [("1,5", 1.5), ("1e6", 1e6), ("500000", 5e5), ("2.5", 2.5), ("1.000.000", 1e6)]
)
def test_numbers_as_people_type_them(person, typed, base):
    person.type("param_base", typed)
    assert person.lab.state.built.base == base


@pytest.mark.parametrize("typed", ["abc", "nan", "inf", "1e400", "-3", "0", "10,000", "1e-5", "", "1;5"])
def test_refused_numbers_leave_the_state(person, typed):
    before = person.lab.state
    person.type("param_base", typed)
    assert person.lab.state == before
    if typed:
        assert "Base" in said(person)


NEED_MORE = {("sincos2d", 2), ("axial", 2)}  # a width that a scheme with several axes cannot share out


@pytest.mark.parametrize(
    "state", [{"dimension": 2, "length": 2}, {"dimension": 8192, "length": 2}, {"length": 1 << 20}]
)
def test_extremes_of_every_scheme(person, state):
    for scheme in REGISTRY:
        if not person.lab.request(**{"scheme": scheme, **state}):
            assert (scheme, state.get("dimension")) in NEED_MORE
            continue
        person.settle()
        shot = person.window.grab().toImage()
        assert shot.width() == 1440
        snapshot = person.lab.snapshot
        assert snapshot.scheme.id == scheme
        assert snapshot.state.position <= snapshot.state.length - 1
        for part in (snapshot.matrix, snapshot.similarity, snapshot.rotation, snapshot.attention):
            assert part.sentence.endswith((".", "?"))
        assert snapshot.readouts.exact


def test_spot_moves_to_the_last_of_a_shorter_sequence(person):
    person.type("position", "100")
    person.type("length", "50")
    assert person.lab.state.position == 49
    assert person.find(QLabel, "formula").text().startswith("PE(49")


def test_a_spot_outside_is_refused(person):
    before = person.lab.state
    person.type("position", "128")
    assert person.lab.state == before
    assert "0 and 127" in said(person)
