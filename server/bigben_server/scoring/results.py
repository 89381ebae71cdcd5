"""What is kept of a seat that is over, and of its race: the truth behind every board. No Redis."""

from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from bigben_protocol import Kind, PlayerId, RaceId, Standing, State
from bigben_rules import game_named
from bigben_server.race.ranking import Key, key

BOT_PREFIX = "bot:"
"""An issuer called ``bot`` speaks for bots alone; others mark theirs with the claim ``bot``."""


class RaceSummary(msgspec.Struct, frozen=True, array_like=True):
    """What the boards must know of a race."""

    kind: Kind
    game: str
    rules: str
    day: str
    """``2026-11-21``: a daily's own day, or the UTC day on which a live race started."""
    undo: bool = False


class Result(msgspec.Struct, frozen=True, array_like=True):
    """How one seat ended. Written once and never changed."""

    state: State
    moves: int
    home: int
    ms: int
    home_ms: int
    at: int
    """When, ms since 1970."""
    groups: tuple[str, ...] = ()
    """Those that the player belonged to then, sorted."""
    bot: bool = False
    tie: int = 0
    """The order of those with the same key at the same time, once their ids no longer tell it."""

    def key(self, summary: RaceSummary) -> Key:
        """Its ranking key in its race."""
        return key(game_named(summary.game).total, self.standing(PlayerId(""), ""))

    def standing(self, player: PlayerId, name: str, place: int = 0) -> Standing:
        """As it is shown."""
        return Standing(
            player, name, self.state, self.moves, self.home, self.ms, self.home_ms, place
        )


class Finish(NamedTuple):
    """A result to be recorded; its groups, and whether it is a bot's, are filled in then."""

    race: RaceId
    summary: RaceSummary
    player: PlayerId
    name: str
    result: Result


def in_order(
    summary: RaceSummary, results: Mapping[PlayerId, Result]
) -> list[tuple[Key, PlayerId]]:
    """The players by key, then by time: an id decides only where nothing else can."""
    players = sorted(results, key=lambda player: _order(summary, player, results[player]))
    return [(results[player].key(summary), player) for player in players]


def ties(
    summary: RaceSummary, results: Mapping[PlayerId, Result], player: PlayerId
) -> list[tuple[PlayerId, Result]]:
    """All whom only their ids keep in order beside ``player``, with results that keep it too."""
    mine = _order(summary, player, results[player])[:2]
    equals = [
        (order, other)
        for other, result in results.items()
        if (order := _order(summary, other, result))[:2] == mine
    ]
    return [
        (other, msgspec.structs.replace(results[other], tie=tie))
        for tie, (_, other) in enumerate(sorted(equals))
    ]


def is_bot(player: PlayerId) -> bool:
    """Whether the id alone says so."""
    return player.startswith(BOT_PREFIX)


def _order(
    summary: RaceSummary, player: PlayerId, result: Result
) -> tuple[Key, int, int, PlayerId]:
    return result.key(summary), result.at, result.tie, player
