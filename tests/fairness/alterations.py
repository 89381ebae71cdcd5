"""Every way to alter one thing in a JSON document."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple


class Alteration(NamedTuple):
    """A document that differs from the original in one place."""

    path: str
    """``seats[1].result.ms``, as the reasons name it."""
    document: Any


def alterations(
    value: Any, path: str = "", rebuild: Callable[[Any], Any] = lambda value: value
) -> Iterator[Alteration]:
    """Every field changed in value and in type, removed, added, repeated or exchanged.

    ``rebuild`` makes the whole document with another value in this place.
    """
    for other in _others(value):
        yield Alteration(path, rebuild(other))
    match value:
        case dict():
            yield from _in_object(value, path, rebuild)
        case list():
            yield from _in_list(value, path, rebuild)
        case _:
            pass


def _others(value: Any) -> Iterator[Any]:
    """Other values: similar ones, very different ones, and ones of other types."""
    yield from (None, {}, [value])
    match value:
        case bool():
            yield from (not value, int(value), str(value))
        case int():
            yield from (value + 1, value - 1, -value or 2, 10**30, float(value), str(value))
            yield value == 1
        case str():
            yield from (value + "x", value[:-1] or "y", value.swapcase() + " ", 7)
            if value[-1:] in tuple("0123456789abcdef"):
                yield value[:-1] + ("1" if value[-1] == "0" else "0")
        case list() | dict():
            yield from ("", 0)
        case _:
            pass


def _in_object(
    value: dict[str, Any], path: str, rebuild: Callable[[Any], Any]
) -> Iterator[Alteration]:
    before = f"{path}." if path else ""
    yield Alteration(f"{before}extra", rebuild({**value, "extra": 1}))
    for name, item in value.items():
        rest = {other: value[other] for other in value if other != name}
        yield Alteration(before + name, rebuild(rest))
        yield Alteration(before + name, rebuild({**rest, f"{name}2": item}))

        def with_another(other: Any, name: str = name) -> Any:
            return rebuild({**value, name: other})

        yield from alterations(item, before + name, with_another)


def _in_list(value: list[Any], path: str, rebuild: Callable[[Any], Any]) -> Iterator[Alteration]:
    for i, item in enumerate(value):
        yield Alteration(path, rebuild(value[:i] + value[i + 1 :]))
        yield Alteration(path, rebuild([*value[:i], item, *value[i:]]))
        if i and item != value[i - 1]:
            yield Alteration(path, rebuild([*value[: i - 1], item, value[i - 1], *value[i + 1 :]]))

        def with_another(other: Any, i: int = i) -> Any:
            return rebuild([*value[:i], other, *value[i + 1 :]])

        yield from alterations(item, f"{path}[{i}]", with_another)
