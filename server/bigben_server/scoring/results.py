"""The stored results of seats and races, from which every board is computed."""

from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from bigben_protocol import Kind, PlayerId, RaceId, Standing, State
from bigben_rules import game_named
from bigben_server.race.ranking import Key, key


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
        return key(game_named(summary.game).total, self.standing(PlayerId(""), ""))

    def standing(self, player: PlayerId, name: str, place: int = 0) -> Standing:
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
    order = sorted((one.key(summary), one.at, one.tie, player) for player, one in results.items())
    return [(key, player) for key, _, _, player in order]


def ties(
    summary: RaceSummary, results: Mapping[PlayerId, Result], player: PlayerId
) -> list[tuple[PlayerId, Result]]:
    """The players with the key and time of ``player``, in order.

    The ``tie`` in their results keeps that order even if an id changes.
    """
    mine = (results[player].key(summary), results[player].at)
    equals = [one for key, one in in_order(summary, results) if (key, results[one].at) == mine]
    return [(one, msgspec.structs.replace(results[one], tie=tie)) for tie, one in enumerate(equals)]


def is_bot(player: PlayerId) -> bool:
    """Whether the id alone marks a bot: the issuer ``bot`` has only bots.

    Other issuers mark theirs with the claim ``bot``.
    """
    return player.startswith("bot:")
