"""Answers kept per scheme: schemes are immutable, so an answer stays true."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

from pe_desktop.core.scheme import Scheme

T = TypeVar("T")
KEPT = 64


class Remembered(Generic[T]):
    """A function of a scheme that keeps its last answers and can say whether it knows one."""

    def __init__(self, function: Callable[[Scheme], T]) -> None:
        self._function = function
        self._answers: OrderedDict[Scheme, T] = OrderedDict()
        self._lock = Lock()
        self.__doc__ = function.__doc__
        self.__name__ = function.__name__

    def __call__(self, scheme: Scheme) -> T:
        with self._lock:
            if scheme in self._answers:
                self._answers.move_to_end(scheme)
                return self._answers[scheme]
        answer = self._function(scheme)  # outside the lock: a scan may take long
        with self._lock:
            self._answers[scheme] = answer
            if len(self._answers) > KEPT:
                self._answers.popitem(last=False)
        return answer

    def knows(self, scheme: Scheme) -> bool:
        """Whether a call would answer at once."""
        return scheme in self._answers


def remember(function: Callable[[Scheme], T]) -> Remembered[T]:
    """Decorator form of :class:`Remembered`."""
    return Remembered(function)
