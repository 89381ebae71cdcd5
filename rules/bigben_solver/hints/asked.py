"""A position as its player sees it, which is all that a hint may depend on."""

from typing import NamedTuple

from bigben_rules import Card, Cards, Game, Pile, Position, game_named


class Asked(NamedTuple):
    """What a player sees. Two that are equal have the same hint."""

    game: str
    rules: str
    piles: tuple[tuple[Pile, tuple[Card, ...], int], ...]
    """Each with its face-up cards and the number of face-down cards, as in ``Position.piles``."""
    legal: tuple[str, ...]
    """The legal moves in the notation, which the player is told too."""
    can_undo: bool = False

    @classmethod
    def of(cls, game: Game, rules: str, position: Position, *, can_undo: bool = False) -> "Asked":
        """What the player of this position sees of it, and nothing else."""
        piles = tuple((name, up, down) for name, (up, down) in position.piles().items())
        return cls(game.name, rules, piles, position.reading().legal, can_undo)

    @property
    def hides(self) -> bool:
        """Whether a card is face down."""
        return any(down for _, _, down in self.piles)

    def seen(self) -> Position:
        """The position; its face-down cards are unknown."""
        piles = {name: Cards(up, down) for name, up, down in self.piles}
        return game_named(self.game).seen(piles, self.rules)
