"""Letters drawn by chance, for codes that people read out and type."""

from collections.abc import Callable
from typing import Final

LETTERS: Final = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""No letter of a code is mistaken for another: no 0 and O, no 1, I and L."""

RandomBytes = Callable[[int], bytes]


def letters(random_bytes: RandomBytes, length: int) -> str:
    number = int.from_bytes(random_bytes(16), "big")
    chosen = []
    for _ in range(length):
        number, letter = divmod(number, len(LETTERS))
        chosen.append(LETTERS[letter])
    return "".join(chosen)
