"""A clock that stands still until the test sets it."""

from typing import Generic, TypeVar

Number = TypeVar("Number", int, float)


class Clock(Generic[Number]):
    """``now`` is what it shows; a test sets it."""

    def __init__(self, now: Number) -> None:
        self.now: Number = now

    def __call__(self) -> Number:
        return self.now
