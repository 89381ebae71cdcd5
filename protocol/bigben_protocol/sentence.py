"""A sentence for players, without words: those are in the texts, in every language."""

from collections.abc import Mapping
from typing import Protocol

import msgspec

Value = str | int | tuple[str, ...]
"""What is filled into a sentence; of several, each will do: the moves ``("3 fdn", "3 5")``."""


class Sentence(msgspec.Struct, frozen=True, omit_defaults=True):
    """The id of a text, and what is filled into it."""

    id: str
    """A key of the table ``sentences`` of the texts."""
    values: dict[str, Value] = {}
    """By name; what has no value here is not in the text."""


class Said(Protocol):
    """A sentence of the server, or one of the rules, which know nothing of messages."""

    @property
    def id(self) -> str: ...

    @property
    def values(self) -> Mapping[str, Value]: ...


def sentence(text_id: str, /, **values: Value) -> Sentence:
    """The sentence with this id and these values.

    >>> sentence("race.full", most=100)
    Sentence(id='race.full', values={'most': 100})
    """
    return Sentence(text_id, values)
