"""Reads moves as people type them: single words, and moves from one pile to another."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from bigben_rules.position import Move, NotationError, Pile
from bigben_rules.sentence import Sentence, sentence

ANY_HOME: Final = Pile("fdn")
"""What players type for any foundation that takes the card."""

TO_ANY_HOME: Final[Mapping[str, Pile]] = dict.fromkeys((ANY_HOME, "f", "foundation"), ANY_HOME)
"""Every word for ``ANY_HOME``."""


@dataclass(frozen=True, slots=True)
class Notation:
    """The words of one game."""

    commands: Mapping[str, Move]
    """Moves of one word: ``turn``."""
    sources: Mapping[str, Pile]
    """Piles from which a card can be moved, by every word for them."""
    targets: Mapping[str, Pile]
    """Piles to which a card can be moved, and ``ANY_HOME``, by every word for them."""
    unfinished: Mapping[str, Sentence]
    """What to say of each source that is typed without a target."""
    itself: str
    """The id of the sentence for a ``pile`` that is built on itself."""
    help: str
    """The id of the sentence for a ``text`` that is no move; it says all that can be typed."""

    def parse(self, text: str) -> Move:
        """The move as typed, legal or not; its target may be ``ANY_HOME``. Raises NotationError.

        Case and extra spaces do not matter. Spaces may be missing if only one move can be meant.
        """
        words = text.lower().split()
        match words:
            case [word] if word in self.commands:
                return self.commands[word]
            case [word] if word in self.unfinished:
                # 12 means fan 12, although 1 2 would be possible too.
                raise NotationError(self.unfinished[word])
            case [word]:
                readings = self._readings(word)
            case [source, target]:
                readings = [(source, target)]
            case _:
                readings = []
        match [pair for pair in readings if pair[0] in self.sources and pair[1] in self.targets]:
            case [(source, target)]:
                if source == target:
                    raise NotationError(sentence(self.itself, pile=source))
                return Move(self.sources[source], self.targets[target])
            case [one, other]:
                both = (" ".join(one), " ".join(other))
                raise NotationError(sentence("unclear.space", text=words[0], moves=both))
            case _:
                raise NotationError(sentence(self.help, text=ascii(" ".join(words)[:40])))

    def _readings(self, word: str) -> list[tuple[str, str]]:
        """Every way to cut a word in two."""
        if len(word) > max(map(len, self.sources)) + max(map(len, self.targets)):
            return []
        return [(word[:cut], word[cut:]) for cut in range(1, len(word))]
