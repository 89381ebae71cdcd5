"""The stored results of seats and races, from which every board is computed."""

from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from bigben_protocol import Kind, PlayerId, RaceId, Standing, State
from bigben_rules import game_named
from bigben_server.race.ranking import Key, key

BOT_PREFIX = "bot:"
"""An issuer called ``bot`` has only bots; others mark theirs with the claim ``bot``."""


class RaceSummary(msgspec.Struct, frozen=True, array_like=True):
    """What boards need to know about a race."""

    kind: Kind
    game: str
    rules: str
    day: str
    """``2026-11-21``: the day of a daily, or the UTC day on which a live race started."""
    undo: bool = False


class Result(msgspec.Struct, frozen=True, array_like=True):
    """How one seat ended. It is written once and never changed."""

    state: State
    moves: int
    home: int
    ms: int
    home_ms: int
    at: int
    """When the seat ended, ms since 1970."""
    groups: tuple[str, ...] = ()
    """The player's groups at that time, sorted."""
    bot: bool = False
    tie: int = 0
    """The order among equal keys and times, after a deletion has changed an id."""

    def key(self, summary: RaceSummary) -> Key:
        """The ranking key in its race."""
        return key(game_named(summary.game).total, self.standing(PlayerId(""), ""))

    def standing(self, player: PlayerId, name: str, place: int = 0) -> Standing:
        """The result as a Standing."""
        played = (self.state, self.moves, self.home, self.ms, self.home_ms)
        return Standing(player, name, *played, place)


class Finish(NamedTuple):
    """A result to record. Recording fills in the groups, and whether it is a bot's."""

    race: RaceId
    summary: RaceSummary
    player: PlayerId
    name: str
    result: Result


def in_order(
    summary: RaceSummary, results: Mapping[PlayerId, Result]
) -> list[tuple[Key, PlayerId]]:
    """The players by key, then by time, then by ``tie``, and finally by id."""
    players = sorted(results, key=lambda player: _order(summary, player, results[player]))
    return [(results[player].key(summary), player) for player in players]


def ties(
    summary: RaceSummary, results: Mapping[PlayerId, Result], player: PlayerId
) -> list[tuple[PlayerId, Result]]:
    """The players with the key and time of ``player``, in order.

    The ``tie`` in their results keeps that order even if an id changes.
    """
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
    """Whether the id alone marks a bot."""
    return player.startswith(BOT_PREFIX)


def _order(
    summary: RaceSummary, player: PlayerId, result: Result
) -> tuple[Key, int, int, PlayerId]:
    return result.key(summary), result.at, result.tie, player
