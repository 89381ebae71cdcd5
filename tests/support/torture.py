"""How much a test repeats: little in `make test`, much in `make torture`.

`make torture` sets TORTURE to "random", or to a number, from which all chance then follows.
"""

import os
import random
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Final, TypeVar

import pytest
from _pytest.mark import ParameterSet
from hypothesis import HealthCheck, settings

CHOSEN: Final = os.environ.get("TORTURE", "")
TIMES: Final = 20
"""So many times as many examples of a property in `make torture`."""

LIKE_WATCH: Final = ("clock", "hideandseek", "travellers")
"""Games that are values of its code."""

T = TypeVar("T")


def often(short: T, long: T) -> T:
    """The second value in `make torture`. A test that asks is marked with ``longer``."""
    return long if CHOSEN else short


long: Final = partial(pytest.param, marks=pytest.mark.torture)
"""Like ``pytest.param``, for what only `make torture` runs."""


def tortured(*values: object) -> list[ParameterSet]:
    """Parameters of a test that only `make torture` adds."""
    return [long(value) for value in values]


def each_kind(games: Iterable[str] | Mapping[str, T]) -> list[ParameterSet]:
    """Of games that share their code, Watch stands for all in `make test`: a test's parameters."""
    given = games if isinstance(games, Mapping) else {name: name for name in games}
    return [
        pytest.param(game, id=name, marks=[pytest.mark.torture] * (name in LIKE_WATCH))
        for name, game in given.items()
    ]


def examples(count: int) -> settings:
    """So many examples of a property in `make test`, far more in `make torture`."""
    return settings(max_examples=often(count, count * TIMES))


def a_seed() -> int:
    """For a test of random play: the same in every `make test`."""
    return random.randrange(2**32) if CHOSEN == "random" else int(CHOSEN or 1)


# Without a deadline: the time of an example depends on how busy the machine is, not on the code.
settings.register_profile(
    "project",
    deadline=None,
    derandomize=CHOSEN != "random",
    database=None,
    max_examples=often(40, 40 * TIMES),
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("project")
