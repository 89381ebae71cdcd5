"""A position as its player sees it, which is all that a hint may depend on."""

from typing import NamedTuple

from bigben_rules import Card, Cards, Game, Pile, Position, game_named, germanclock


class Asked(NamedTuple):
    """What a player sees and has seen. Two that are equal have the same hint."""

    game: str
    rules: str
    piles: tuple[tuple[Pile, tuple[Card, ...], int], ...]
    """Each with its face-up cards and the number of face-down cards, as in ``Position.piles``."""
    legal: tuple[str, ...]
    """The legal moves in the notation, which the player is told too."""
    can_undo: bool = False
    remembered: str = ""
    """The position in the game's text form if its player has seen every card before, as after a
    redeal; otherwise empty."""
    dealt: str = ""
    """The position in which the last new card was shown, in the game's text form, as its player saw
    it; empty if nobody remembers it."""

    @classmethod
    def of(
        cls,
        game: Game,
        rules: str,
        position: Position,
        *,
        can_undo: bool = False,
        dealt: Position | None = None,
    ) -> "Asked":
        """What the player of this position sees of it and has seen, and nothing else."""
        piles = tuple((name, up, down) for name, (up, down) in position.piles().items())
        redealt = isinstance(position, germanclock.Position) and position.redealt
        remembered = position.text() if redealt else ""
        then = game.seen(dealt.piles(), rules).text() if dealt else ""
        return cls(game.name, rules, piles, position.reading().legal, can_undo, remembered, then)

    @property
    def hides(self) -> bool:
        """Whether the player does not know all cards."""
        return not self.remembered and any(down for _, _, down in self.piles)

    def seen(self) -> Position:
        """The position; its face-down cards are unknown unless the player has seen them."""
        if self.remembered:
            return game_named(self.game).read(self.remembered)
        piles = {name: Cards(up, down) for name, up, down in self.piles}
        return game_named(self.game).seen(piles, self.rules)

    def then(self) -> Position | None:
        """The position in which the last new card was shown, if it is remembered."""
        return game_named(self.game).read(self.dealt) if self.dealt else None
