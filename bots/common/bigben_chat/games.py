"""The games of the race server, as it describes them, and what follows from a description."""

from collections.abc import Iterator
from typing import Final

from bigben_client import Client
from bigben_protocol import GameInfo, Slot

RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS: Final = "CDHS"


class KnownGames:
    """The games by name, the main one first; empty until ``fetch`` was called."""

    def __init__(self) -> None:
        self._games: dict[str, GameInfo] = {}

    def __getitem__(self, name: str) -> GameInfo:
        return self._games[name]

    def __iter__(self) -> Iterator[GameInfo]:
        return iter(self._games.values())

    def __len__(self) -> int:
        return len(self._games)

    def __contains__(self, name: str) -> bool:
        return name in self._games

    async def fetch(self, client: Client) -> None:
        """Ask the server. Raises ClientError."""
        self._games = {game.name: game for game in (await client.games()).games}


def has_rules(game: GameInfo, rules: str) -> bool:
    """Whether the game has rules of this name, or with these fields: ``laps-stuck-playable``."""
    values = rules.split("-")
    fields = len(values) == len(game.choices) and all(
        value in choice.values for value, choice in zip(values, game.choices, strict=True)
    )
    return rules in game.presets or fields


def foundation_size(game: GameInfo, slot: Slot) -> int:
    """How many cards are on the foundation when it is complete; 0 if the game does not say.

    From the card that lies there from the start, up in suit to its goal; of a goal without a suit,
    every card of its rank.
    """
    if game.deal is None or not slot.goal:
        return 0
    if not is_card(slot.goal):
        return game.deal.packs * len(SUITS)
    first = next((card for pile, card in game.deal.laid if pile == slot.pile), "")
    if not first:
        return 0
    return (RANKS.index(slot.goal[:-1]) - RANKS.index(first[:-1])) % len(RANKS) + 1


def is_card(goal: str) -> bool:
    """Whether a goal names a card, and not only a rank."""
    return goal not in ("", *RANKS)


def is_complete(game: GameInfo, slot: Slot, cards: tuple[str, ...]) -> bool:
    """Whether nothing more goes on the foundation."""
    if whole := foundation_size(game, slot):
        return len(cards) >= whole
    return cards[-1:] == (slot.goal,)
