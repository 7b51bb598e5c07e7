"""Answers that are kept."""

from __future__ import annotations

from pe_desktop.core.memory import KEPT, Remembered, remember, remember_for


def test_a_question_is_answered_once():
    asked = []

    @remember
    def double(number):
        """Twice as much."""
        asked.append(number)
        return 2 * number

    assert (double(3), double(3), double(4)) == (6, 6, 8)
    assert asked == [3, 4]
    assert double.knows(3)
    assert not double.knows(5)
    assert (double.__doc__, double.__name__) == ("Twice as much.", "double")


def test_the_oldest_answer_goes_first():
    double = Remembered(lambda number: 2 * number, kept=3)
    for number in (1, 2, 3, 1, 4):
        double(number)
    assert [number for number in range(6) if double.knows(number)] == [1, 3, 4]
    many = remember(lambda number: number)
    for number in range(KEPT + 5):
        many(number)
    assert not many.knows(4)
    assert many.knows(5)


def test_an_answer_found_elsewhere_is_kept_as_well():
    double = Remembered(lambda number: 2 * number, kept=2)
    double.note(7, 15)
    assert double(7) == 15
    double.note(8, 1)
    double.note(9, 1)
    assert not double.knows(7)


def test_questions_with_one_answer():
    asked = []

    @remember_for(abs)
    def square(number):
        asked.append(number)
        return number * number

    assert (square(-3), square(3)) == (9, 9)
    assert asked == [3]
    assert square.knows(-3)
    square.note(-4, 16)
    assert square.knows(4)
