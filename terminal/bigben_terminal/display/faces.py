"""How cards and names look in a terminal: suit symbols, words, and safe text."""

import re
import unicodedata
from argparse import ArgumentParser
from dataclasses import dataclass
from typing import IO, Final

from rich.cells import cell_len, set_cell_size

from bigben_terminal.language import say

SIGNS: Final = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
COLOURS: Final = {"C": "green", "D": "bright_blue", "H": "red", "S": "default"}
"""A colour for each suit: Big Ben builds in suit, so all four must look different."""

_CARD: Final = re.compile(r"\b(?:10|[2-9AJQK])[CDHS]\b")
_COURTS: Final = ("A", "J", "Q", "K")

_DRAWN: Final = "♣♦♥♠·›✓█░…▲▼"
"""Every character beyond ASCII that the terminal game prints itself."""


@dataclass(frozen=True, slots=True)
class Faces:
    """The characters that this terminal can show."""

    ascii: bool = False
    """Plain letters for suits and marks."""

    def card(self, name: str) -> str:
        """``10♥``, or ``10H`` in ASCII. Text that is not a card is made safe to print."""
        if not name.isprintable():
            return "??"
        return name if self.ascii else name[:-1] + SIGNS.get(name[-1:], name[-1:])

    @property
    def gap(self) -> str:
        """The mark for a gap in a fan."""
        return "__" if self.ascii else "··"

    @property
    def back(self) -> str:
        """The mark before the number of face-down cards."""
        return "#" if self.ascii else "░"

    @property
    def to(self) -> str:
        """The mark between the top of a foundation and the card that completes it."""
        return ">" if self.ascii else "›"

    @property
    def done(self) -> str:
        """The mark after a complete foundation."""
        return "ok" if self.ascii else "✓"

    @property
    def dot(self) -> str:
        """The separator of items on a line."""
        return "|" if self.ascii else "·"


def add_faces(parser: ArgumentParser) -> None:
    """Add the options that say how cards are shown."""
    parser.add_argument("--ascii", action="store_true", help="letters instead of suit signs")
    parser.add_argument("--plain", action="store_true", help="words, for screen readers")


def faces_for(stream: IO[str], *, ascii_wanted: bool = False) -> Faces:
    """Symbols if the stream's encoding has them all, otherwise ASCII."""
    try:
        _DRAWN.encode(getattr(stream, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return Faces(ascii=True)
    return Faces(ascii=ascii_wanted)


def colour(card: str) -> str:
    """The colour of the card's suit."""
    return COLOURS.get(card[-1:], "default")


def spoken(card: str) -> str:
    """The card in words.

    >>> spoken("10H"), spoken("AS")
    ('10 of hearts', 'ace of spades')
    """
    rank, suit = card[:-1], card[-1:]
    number = say(f"rank.{rank}") if rank in _COURTS else rank
    return say("card", rank=number, suit=say(f"suit.{suit}") if suit in SIGNS else suit)


def with_spoken(sentence: str) -> str:
    """A sentence of the rules with its cards in words.

    >>> with_spoken("Play KD home. QS waits in fan 3.")
    'Play king of diamonds home. Queen of spades waits in fan 3.'
    """

    def name(found: re.Match[str]) -> str:
        card = spoken(found[0])
        begins = found.start() == 0 or sentence[: found.start()].endswith(". ")
        return card[:1].upper() + card[1:] if begins else card

    return _CARD.sub(name, sentence)


def printable(text: str) -> str:
    """Text from any source, without characters that move the cursor or change direction."""
    return "".join("?" if unicodedata.category(sign)[0] == "C" else sign for sign in text)


def safe(text: str, width: int = 24) -> str:
    """A name from any source, made safe to print: one line of at most ``width`` columns.

    >>> safe("Ada\\x1b[2J\\u202e")
    'Ada?[2J?'
    """
    # Twice the width leaves room for accents, but not for endless ones.
    shown = " ".join(printable(text[: 2 * width]).split())
    if cell_len(shown) > width:
        shown = set_cell_size(shown, width).rstrip()
    # A skin tone or accent alone takes no column, so the name would be invisible.
    return shown if cell_len(shown) else "?"
