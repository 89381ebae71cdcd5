"""The stored results of seats and races, and their divisions, each with boards of its own."""

from collections.abc import Iterable, Sequence
from typing import Final, Literal, NamedTuple

import msgspec

from bigben_protocol import Kind, PlayerId, RaceId, Standing, State
from bigben_rules import game_named
from bigben_server.race.ranking import Key

Ranked = Literal["all", "verified"]
"""Who is on people's boards: all, or only players whom an issuer other than this server knows."""
Division = Literal["", "guests", "bots"]

PEOPLE: Final = ""
GUESTS: Final = "guests"
BOTS: Final = "bots"
DIVISIONS: Final[tuple[Division, ...]] = (PEOPLE, GUESTS, BOTS)

DELETED: Final = "deleted player"
"""The name of every deleted player."""
DELETED_PREFIX: Final = "deleted:"
DELETED_GUEST: Final = f"{DELETED_PREFIX}guest-"
"""If guests are ranked apart, so are the results of deleted guests."""


class RaceSummary(msgspec.Struct, frozen=True, array_like=True):
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

    def standing(self, player: PlayerId, name: str, place: int = 0) -> Standing:
        played = (self.state, self.moves, self.home, self.ms, self.home_ms)
        return Standing(player, name, *played, place, bot=self.bot)


class Alias(NamedTuple):
    """The player whom a guest or another player is tied to for good, and when that was."""

    n: int
    """How many players were tied before, to anybody."""
    after: int
    """How many races were settled before. In these who is tied is rated, in later ones the other.
    """
    at: int
    """ms since 1970."""
    to: PlayerId
    further: "Alias | None" = None
    """That of the player ``to``, who may have been tied to somebody later."""

    @property
    def account(self) -> PlayerId:
        """Who they are now."""
        return self.further.account if self.further else self.to


class Finish(NamedTuple):
    """A result of a race. Recording it fills in the groups, and whether it is a bot's."""

    race: RaceId
    summary: RaceSummary
    player: PlayerId
    name: str
    """Empty for a result that was recorded before."""
    result: Result
    alias: Alias | None = None
    """That of a player who is tied to an account."""

    @property
    def counts_for(self) -> PlayerId:
        """For whom the result counts: on boards of days, and in the history."""
        return self.alias.account if self.alias else self.player

    def rated_as(self, n: int) -> PlayerId:
        """Who gets the points and the rating if it is of closed race ``n``."""
        who, alias = self.player, self.alias
        while alias and alias.after <= n:
            who, alias = alias.to, alias.further
        return who

    @property
    def key(self) -> Key:
        return Key(game_named(self.summary.game).total - self.result.home, self.result.home_ms)

    def division(self, ranked: Ranked) -> Division:
        return division_of(self.player, ranked, bot=self.result.bot)


def in_order(finishes: Iterable[Finish]) -> list[Finish]:
    """The results of a race by key, then by time, then by ``tie``, and finally by id."""
    return sorted(finishes, key=lambda one: (one.key, one.result.at, one.result.tie, one.player))


def one_each(finishes: Iterable[Finish]) -> list[Finish]:
    """The results without any of a tied player whose account has another: its own, or the best.

    Nobody is tied who has a race in common with the account. But they may just have entered one.
    """
    kept: dict[PlayerId, Finish] = {}
    for one in sorted(in_order(finishes), key=lambda one: one.alias is not None):
        kept.setdefault(one.counts_for, one)
    return [*kept.values()]


def ties(finishes: Sequence[Finish], player: PlayerId) -> list[Finish]:
    """The results with the player's key and time; ``tie`` keeps their order if an id changes."""
    mine = [(one.key, one.result.at) for one in finishes if one.player == player]
    equals = [one for one in in_order(finishes) if (one.key, one.result.at) in mine]
    return [
        one._replace(result=msgspec.structs.replace(one.result, tie=tie))
        for tie, one in enumerate(equals)
    ]


def is_bot(player: PlayerId) -> bool:
    """Whether the id alone marks a bot; most issuers mark theirs with the claim ``bot``."""
    return player.startswith("bot:")


def is_guest(player: PlayerId) -> bool:
    """Whether only this server knows the player, or did before they were deleted."""
    return player.startswith(("guest:", DELETED_GUEST))


def division_of(player: PlayerId, ranked: Ranked, *, bot: bool) -> Division:
    if bot:
        return BOTS
    return GUESTS if ranked == "verified" and is_guest(player) else PEOPLE


def divisions_of(player: PlayerId, ranked: Ranked) -> tuple[Division, Division]:
    """Those in which a player may be: only the marks of most bots say that they are one."""
    return division_of(player, ranked, bot=False), BOTS


def is_division(scope: str, ranked: Ranked) -> bool:
    """Whether a scope is a division: without guests' boards, ``guests`` is the name of a group."""
    return scope in (PEOPLE, BOTS) or (scope == GUESTS and ranked == "verified")


def deleted_id(player: PlayerId, new: str) -> PlayerId:
    """The new id for the results of a deleted player; ``new`` is random text."""
    return PlayerId(f"{DELETED_GUEST if is_guest(player) else DELETED_PREFIX}{new}")
