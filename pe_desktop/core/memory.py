"""Answers kept per question: schemes and cases made of them are immutable, so an answer stays true."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T")
Q = TypeVar("Q", bound=Hashable)
KEPT = 64


class Remembered(Generic[Q, T]):
    """A function of a scheme, or of another question, that keeps its last answers and can say whether it knows one."""

    def __init__(self, function: Callable[[Q], T], kept: int = KEPT, plain: Callable[[Q], Q] | None = None) -> None:
        self._function = function
        self._kept = kept
        self._plain = plain
        self._answers: OrderedDict[Q, T] = OrderedDict()
        self._lock = Lock()
        self.__doc__ = function.__doc__
        self.__name__ = function.__name__

    def __call__(self, question: Q) -> T:
        question = self._in_plain(question)
        with self._lock:
            if question in self._answers:
                self._answers.move_to_end(question)
                return self._answers[question]
        answer = self._function(question)  # outside the lock: a scan may take long
        self.note(question, answer)
        return answer

    def note(self, question: Q, answer: T) -> None:
        """Keep an answer that was found in another way."""
        question = self._in_plain(question)
        with self._lock:
            self._answers[question] = answer
            if len(self._answers) > self._kept:
                self._answers.popitem(last=False)

    def knows(self, question: Q) -> bool:
        """Whether a call would answer at once."""
        return self._in_plain(question) in self._answers

    def _in_plain(self, question: Q) -> Q:
        return question if self._plain is None else self._plain(question)


def remember(function: Callable[[Q], T]) -> Remembered[Q, T]:
    """Decorator form of :class:`Remembered`."""
    return Remembered(function)


def remember_for(plain: Callable[[Q], Q]) -> Callable[[Callable[[Q], T]], Remembered[Q, T]]:
    """The same, where questions for which `plain` gives equal ones have one answer, that of the plain one."""
    return lambda function: Remembered(function, plain=plain)
