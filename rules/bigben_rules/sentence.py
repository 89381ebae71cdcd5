"""What a game says to its player, without words: those are the front ends' in every language."""

from collections.abc import Mapping
from typing import NamedTuple

Value = str | int | tuple[str, ...]
"""What is filled into a sentence; of several, each will do: the moves ``("3 fdn", "3 5")``."""


class Sentence(NamedTuple):
    """The id of a text, and what is filled into it: no face-down card is among that."""

    id: str
    values: Mapping[str, Value] = {}

    def __str__(self) -> str:
        values = ", ".join(f"{name}={value}" for name, value in self.values.items())
        return f"{self.id}({values})"


def sentence(text_id: str, /, **values: Value) -> Sentence:
    """The sentence of this id, with these values.

    >>> str(sentence("empty.fan", fan=12))
    'empty.fan(fan=12)'
    """
    return Sentence(text_id, values)
