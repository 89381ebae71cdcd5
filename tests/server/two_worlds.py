"""One race in two worlds whose deals agree on all that one viewer has seen. No tests.

What the viewer does is the same in both. The others do what looks the same from outside: a move
that brings as many cards home and leaves their game as open as it was, of whatever cards it is.
"""

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from random import Random
from typing import Any, Concatenate, Final, NamedTuple, ParamSpec

from tests.server.stage import ADA, BOB, ROOM, Stage
from tests.support.times import DAY, MIDNIGHT, NOON

from bigben_protocol import (
    CODECS,
    Chosen,
    Create,
    Explain,
    GetCurves,
    GetRecord,
    GetStandings,
    PlayerId,
    Rules,
)
from bigben_rules import GAMES, Card, IllegalMove, NotationError, commitment, shuffle
from bigben_rules.position import STOCK
from bigben_server.race import lobby
from bigben_server.race.choosing import COUNTDOWN_MS
from bigben_server.race.events import Opened, Player, RoomEvent
from bigben_server.race.game import Play
from bigben_server.race.state import Race

BIG_BEN: Final = GAMES["bigben"]
IN_FANS: Final = 36
"""Cards that whoever sees the cards at all sees at once."""
SEEDS: Final = (b"\x11" * 32, b"\x22" * 32)
MASK: Final = b"-" * 64

ASKS: Final = (
    *(
        "record",
        "record of Ada",
        "record of Bob",
        "standings",
        "watch",
        "leave",
        "join",
        "why",
        "curves",
    ),
)
RACERS_ASKS: Final = (*ASKS, "ready", "unready", "start", "resume", "again", "ahead")
ENDS_ASKS: Final = (*RACERS_ASKS, "resign")

PILES: Final = (*map(str, range(1, 14)), *(f"f{hour}" for hour in range(1, 14)), "w", "s", "h", "x")
"""Piles of some game or of none."""

Order = Sequence[Card]
_P = ParamSpec("_P")


class Look(NamedTuple):
    """What others can tell of a move by the standing after it."""

    home: int
    dealt: bool


class TwoWorlds:
    """The same race in both worlds."""

    def __init__(self, events: tuple[list[RoomEvent], ...], orders: tuple[Order, ...]) -> None:
        self.worlds = tuple(
            Stage(ROOM, opening, NOON, race_type=_race_of(order))
            for opening, order in zip(events, orders, strict=True)
        )

    @property
    def one(self) -> Stage:
        """Either of them, for what is the same in both."""
        return self.worlds[0]

    def both(
        self, do: Callable[Concatenate[Stage, _P], object], *args: _P.args, **kwargs: _P.kwargs
    ) -> None:
        """Let the same happen in both."""
        for stage in self.worlds:
            do(stage, *args, **kwargs)

    def frames(self, viewer: Player) -> list[list[bytes]]:
        """All bytes that the viewer was ever sent, in each world, less the commitments."""
        return [
            [
                codec.encode(message).replace(commitment(seed).encode(), MASK)
                for message in stage.told.get(viewer.id, [])
                for codec in CODECS.values()
            ]
            for stage, seed in zip(self.worlds, SEEDS, strict=True)
        ]

    def move_alike(self, player: Player, choice: int) -> None:
        """Move in each world so that nobody else sees a difference, if there is such a move."""
        plays = [stage.race.seats[player.id].play for stage in self.worlds]
        for stage, move in zip(self.worlds, alike(plays, choice), strict=False):
            stage.move(player, move)

    def move_within(self, player: Player, text: str, most: int) -> None:
        """Ask for this move in both, unless ``most`` cards were exceeded or the game over then."""
        play = self.one.race.seats[player.id].play
        assert play is not None, "nothing has made this process forget it"
        try:
            after, _ = play.positions.last.apply(play.positions.last.parse(text))
        except (IllegalMove, NotationError):
            pass  # the refusal is of interest
        else:
            if len(self.one.race.order) - IN_FANS - after.piles()[STOCK].down > most:
                return
            if after.won or after.blocked:
                return
        self.both(Stage.move, player, text)


def ask(stage: Stage, viewer: Player, what: str, number: int) -> None:
    """Anything a viewer may want to know, allowed or not."""
    race = stage.race.id
    match what:
        case "record":
            stage.say(viewer, GetRecord(race))
        case "record of Ada":
            stage.say(viewer, GetRecord(race, ADA.id))
        case "record of Bob":
            stage.say(viewer, GetRecord(race, BOB.id))
        case "standings":
            stage.say(viewer, GetStandings(race))
        case "watch":
            stage.watch(viewer)
        case "leave":
            stage.leave(viewer)
        case "join":
            stage.join(viewer)
        case "curves":
            stage.say(viewer, GetCurves(race, (BOB.id,) * (number % 2)))
        case "why":
            source, target = PILES[number % len(PILES)], PILES[number // 7 % len(PILES)]
            stage.say(viewer, Explain(race, source, target if number % 3 else ""))
        case "ready":
            stage.ready(viewer)
        case "unready":
            stage.unready(viewer)
        case "start":
            stage.start(viewer)
        case "resume":
            stage.resume(viewer, number % 30)
        case "resign":
            # Players who give up see no more cards of the deal.
            if stage.race.seats[viewer.id].status.state == "playing":
                stage.move(viewer, "resign")
        case "again":
            # Never the next number: that would be a move, and show its cards.
            seat = stage.race.seats.get(viewer.id)
            stage.send(viewer, number % ((seat.status.moves if seat else 0) + 1), "deal")
        case _:
            stage.send(viewer, 2**20, "deal")


def assert_no_difference(worlds: TwoWorlds, viewer: Player) -> None:
    one, other = worlds.frames(viewer)
    assert one == other
    for seed in SEEDS:
        assert not any(seed.hex().encode() in frame for frame in one + other)


def racing(worlds: TwoWorlds, *players: Player) -> TwoWorlds:
    """All of them in their seats and the cards on the table."""
    worlds.both(Stage.join, *players)
    worlds.both(Stage.ready, *players)
    worlds.both(Stage.wait, COUNTDOWN_MS)
    return worlds


def orders_that_agree(seed: bytes, random: Random, agreed: int) -> tuple[Order, Order]:
    """Two deals with the same first ``agreed`` cards, as different behind them as chance has it."""
    order = shuffle(BIG_BEN.pack, seed)
    rest = list(order[agreed:])
    random.shuffle(rest)
    return order, (*order[:agreed], *rest)


def live_room(
    host: Player, game: str = "bigben", rules: str = "standard", **wanted: Any
) -> tuple[list[RoomEvent], ...]:
    """The first events of a live room, with a seed of its own in each world.

    ``wanted`` are other fields of Create.
    """
    create = Create(game, rules, **wanted)
    return tuple(lobby.created(create, host, NOON, partial(_always, seed)) for seed in SEEDS)


def a_daily(game: str = "bigben", rules: str = "standard") -> tuple[list[RoomEvent], ...]:
    """The same for a daily of one grade: its deal, the line that wins it and par differ."""
    by, day = Rules(game, rules), (MIDNIGHT, PlayerId(""), MIDNIGHT + DAY)
    chosen = [Chosen(n, "hard", ("turn", f"{n} fdn") * n) for n in (1, 2)]
    return tuple(
        [Opened("daily", by, seed.hex(), *day, chosen=deal)]
        for seed, deal in zip(SEEDS, chosen, strict=True)
    )


def a_deadline(host: Player) -> tuple[list[RoomEvent], ...]:
    """The same for a race with a deadline."""
    create = Create(deadline_at=NOON + DAY, limit_ms=DAY)
    return tuple(lobby.created(create, host, NOON, partial(_always, seed)) for seed in SEEDS)


def _always(seed: bytes, count: int) -> bytes:
    assert count == len(seed)
    return seed


def alike(plays: Sequence[Play | None], choice: int) -> list[str]:
    """A move for each of these games that looks the same to others; none if there is none."""
    options = [_options(play) for play in plays]
    common = sorted(set[Look].intersection(*map(set, options)))
    look = common[choice % len(common)] if common else None
    return [moves[look][choice % len(moves[look])] for moves in options] if look else []


def _options(play: Play | None) -> dict[Look, list[str]]:
    """The moves of a player that leave their game open, by what others see of them."""
    options: dict[Look, list[str]] = {}
    if play is None or play.over:
        return options
    for move in play.legal:
        after, steps = play.positions.last.apply(play.positions.last.parse(move))
        if not (after.won or after.blocked):
            options.setdefault(Look(after.progress, steps[0].source == STOCK), []).append(move)
    return options


def _race_of(order: Order) -> type[Race]:
    """A race with these cards, whatever its seed."""

    class Dealt(Race):
        @cached_property
        def order(self) -> tuple[Card, ...]:
            return tuple(order)

    return Dealt
