"""A clock that changes only when the test sets it."""

from typing import Generic, TypeVar

Number = TypeVar("Number", int, float)


class Clock(Generic[Number]):
    """Returns ``now``, which the test sets."""

    def __init__(self, now: Number) -> None:
        self.now: Number = now

    def __call__(self) -> Number:
        return self.now
