"""Display names: what they may contain. They are not escaped; every front end must do so."""

import unicodedata
from itertools import chain, groupby, islice
from typing import Final

from bigben_protocol.sentence import sentence
from bigben_server.race.events import Refusal

LONGEST: Final = 32
_NAMELESS: Final = "Player"
_MOST_MARKS: Final = 4
"""Marks on one letter: Tibetan needs this many, and piled-up accents have more."""
_SHAPES: Final = frozenset(
    map(chr, (*range(0x180B, 0x180E), 0x180F, *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)))
)
"""Variation selectors, which keyboards add to hearts and rare kanji. They are invisible and choose
a shape of the letter before them. The name is the same without them."""
_INVISIBLE: Final = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\u2800\U00016fe4\U0001d159\U00013441\U00013442"
)
"""Other invisible letters, marks and symbols. Up to U+FFA0 they and the selectors are those
in Default_Ignorable_Code_Point (Unicode 16.0, DerivedCoreProperties.txt); the others are blank."""


def display_name(wanted: str) -> str:
    """The name as it will be shown: NFKC, single spaces, no variations. Raises Refusal."""
    name = _single_spaced(_normal(wanted))
    if len(name) > LONGEST:
        raise Refusal("name", sentence("name.long", most=LONGEST))
    if not all(map(_may_stand, name)):
        text = sentence("name.control")
        raise Refusal("name", text)
    if all(letter == " " or _is_mark(letter) for letter in name):  # also if there are none
        raise Refusal("name", sentence("name.empty"))
    if _without_piles(name) != name:
        raise Refusal("name", sentence("name.accents"))
    return name


def fitted_name(wanted: str) -> str:
    """The name nearest to ``wanted``, which may come from where more is allowed."""
    kept = "".join(filter(_may_stand, _normal(wanted)))
    try:
        return display_name(_without_piles(_single_spaced(kept))[:LONGEST])
    except Refusal:
        return _NAMELESS


def plain_line(text: str) -> str:
    """The text as one line without control, invisible or direction characters."""
    seen = unicodedata.normalize("NFC", " ".join(text.split()))
    return _single_spaced("".join(filter(_may_stand, seen)))


def _normal(name: str) -> str:
    # The selectors first: one between a letter and its accent would keep them apart.
    return unicodedata.normalize("NFKC", "".join(x for x in name if x not in _SHAPES))


def _single_spaced(name: str) -> str:
    return " ".join(part for part in name.split(" ") if part)


def _may_stand(letter: str) -> bool:
    """Whether it is a letter, mark, number, punctuation, symbol or the plain space."""
    visible = unicodedata.category(letter)[0] in "LMNPS" and letter not in _INVISIBLE
    return visible or letter == " "


def _is_mark(letter: str) -> bool:
    return unicodedata.category(letter)[0] == "M"


def _without_piles(name: str) -> str:
    """The name without marks that are piled up too high."""
    runs = groupby(name, _is_mark)
    kept = (islice(run, _MOST_MARKS if marks else None) for marks, run in runs)
    return "".join(chain.from_iterable(kept))
