"""Whatever messages are lost, in the end the client has the server's position, every move is
answered once, and none is played twice. Two queues replace the socket.
"""

from collections import deque
from collections.abc import Callable, Iterable
from typing import Final

from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET
from msgspec.structs import replace
from tests.client.said import RACE, room
from tests.client.scripted import ADA
from tests.support.torture import examples

from bigben_client.errors import Hangup
from bigben_client.session.effects import Answer, Effect, Send, Tell
from bigben_client.session.session import Session
from bigben_protocol import (
    ClientMessage,
    Diff,
    Move,
    Pile,
    Refused,
    Resume,
    ServerMessage,
    Snapshot,
    Step,
    View,
    digest,
)

STOCK: Final = 100
SHORT: Final = 3
"""The server sends a snapshot if more moves are missed."""


class Seat:
    """A referee of one seat, whose every move turns a card; texts with a ``!`` are illegal."""

    def __init__(self) -> None:
        self.log: list[str] = []

    def hear(self, message: ClientMessage) -> list[ServerMessage]:
        """The server's answer."""
        match message:
            case Resume(since=since, ref=ref):
                missed = len(self.log) - since
                if since == 0 or missed > SHORT:
                    return [room(ref=ref), self.snapshot()]
                return [room(ref=ref), *map(self.diff, range(since + 1, len(self.log) + 1))]
            case Move(n=n, move=text):
                return [self.play(n, text)]
            case _:
                raise AssertionError(f"{message} is no matter of this test")

    def play(self, n: int, text: str) -> Diff | Refused:
        """Play move ``n``, once."""
        if n <= len(self.log):
            same = self.log[n - 1] == text
            return self.diff(n) if same else Refused("conflict", "Played.", RACE, n)
        if n > len(self.log) + 1:
            return Refused("gap", "Too far.", RACE, n)
        if "!" in text:
            return Refused("illegal", "No.", RACE, n)
        self.log.append(text)
        return self.diff(n)

    def diff(self, n: int) -> Diff:
        """The original diff of move ``n``."""
        return Diff(
            RACE, n, self.log[n - 1], (Step("s", "w", f"{n}H"),), "playing", 0, n, (), _digest(n)
        )

    def snapshot(self) -> Snapshot:
        """The player's whole game."""
        n = len(self.log)
        piles = {"w": Pile(_waste(n)), "s": Pile(down=STOCK - n)}
        return Snapshot(RACE, n, "playing", 0, n, piles, (), _digest(n))


class World:
    """A session, the server, and two queues between them that lose messages."""

    def __init__(self) -> None:
        self.seat = Seat()
        self.session = Session()
        self.session.player = ADA
        self.asked: dict[int, str] = {}
        self.answers: dict[int, list[ServerMessage]] = {}
        self.shown: View | None = None
        """The views of a front end that trusts every message."""
        self.up: deque[ClientMessage] = deque()
        self.down: deque[ServerMessage] = deque([room(), self.seat.snapshot()])
        self.follows = True
        while self.down:
            self.receive()

    def move(self, mark: str = "") -> None:
        """The player moves, each time with another text."""
        ticket = self.session.ticket()
        self.asked[ticket] = f"turn {len(self.asked)}{mark}"
        self.carry_out(self.session.move(ticket, RACE, self.asked[ticket]))

    def bad_move(self) -> None:
        """The player makes an illegal move."""
        self.move("!")

    def elsewhere(self) -> None:
        """The player moves on another device."""
        played = self.seat.play(len(self.seat.log) + 1, f"elsewhere {len(self.seat.log)}")
        if self.follows:
            self.down.append(played)

    def send(self) -> None:
        """The oldest message to the server arrives."""
        if self.up:
            message = self.up.popleft()
            self.follows |= isinstance(message, Resume)
            self.down.extend(self.seat.hear(message))

    def receive(self) -> None:
        """The oldest message to the client arrives."""
        if self.down:
            try:
                self.carry_out(self.session.receive(self.down.popleft()))
            except Hangup:
                self.reconnect()

    def reconnect(self) -> None:
        """The connection breaks, and there is another one."""
        self.up.clear()
        self.down.clear()
        self.follows = False
        self.session.lost()
        self.carry_out(self.session.resume())

    def skip(self) -> None:
        """The server does not send a diff."""
        for i, message in enumerate(self.down):
            if isinstance(message, Diff):
                del self.down[i]
                return

    def garble(self) -> None:
        """The server sends a diff of another position."""
        for i, message in enumerate(self.down):
            if isinstance(message, Diff) and message.digest is not UNSET:
                self.down[i] = replace(message, digest=message.digest ^ 1)
                return

    def strip(self) -> None:
        """The server sends a diff without legal moves and digest."""
        for i, message in enumerate(self.down):
            if isinstance(message, Diff) and message.digest is not UNSET:
                self.down[i] = replace(message, legal=UNSET, digest=UNSET)
                return

    def settle(self) -> None:
        """Make a last connection on which everything arrives."""
        self.reconnect()
        while self.up or self.down:
            self.send()
            self.receive()

    def carry_out(self, effects: Iterable[Effect]) -> None:
        """Carry out the session's effects."""
        for effect in effects:
            match effect:
                case Send(message):
                    self.up.append(message)
                case Answer(ticket, answer):
                    self.answers.setdefault(ticket, []).append(answer)
                case Tell(Snapshot() as snapshot):
                    self.shown = View.of(snapshot)
                case Tell(Diff() as diff):
                    assert self.shown is not None
                    assert diff.n == self.shown.n + 1
                    self.shown = self.shown.after(diff)
                case Tell():
                    pass


Happening = Callable[[World], None]


def _waste(n: int) -> tuple[str, ...]:
    return tuple(f"{card}H" for card in range(1, n + 1))


def _digest(n: int) -> int:
    return digest({"w": (_waste(n), 0), "s": ((), STOCK - n)})


PLAY = (World.move, World.bad_move, World.send, World.send, World.receive, World.receive)
LOSSES = (World.reconnect, World.skip, World.garble, World.strip)
ELSEWHERE = (World.elsewhere,)


@examples(100)
@given(st.lists(st.sampled_from([*PLAY, *LOSSES]), max_size=80))
def test_every_move_is_played_once_or_not_at_all_and_its_player_knows(
    happens: list[Happening],
) -> None:
    world = World()
    for happening in happens:
        happening(world)
    world.settle()
    assert world.session.views[RACE] == world.shown == View.of(world.seat.snapshot())
    assert world.answers.keys() == world.asked.keys()
    for ticket, text in world.asked.items():
        (answer,) = world.answers[ticket]
        match answer:
            case Diff(n=n):
                assert world.seat.log[n - 1] == text
            case _:
                assert text not in world.seat.log
    assert len(set(world.seat.log)) == len(world.seat.log)


@examples(100)
@given(st.lists(st.sampled_from([*PLAY, *LOSSES, *ELSEWHERE]), max_size=80))
def test_a_second_device_causes_no_confusion(happens: list[Happening]) -> None:
    world = World()
    for happening in happens:
        happening(world)
    world.settle()
    assert world.session.views[RACE] == world.shown == View.of(world.seat.snapshot())
    assert all(len(world.answers[ticket]) == 1 for ticket in world.asked)
    assert len(set(world.seat.log)) == len(world.seat.log)


def test_a_waiting_move_gets_no_number_before_all_known_moves_are_seen() -> None:
    world = World()
    world.move()
    world.move()
    world.send()
    world.garble()
    world.receive()
    world.reconnect()
    world.send()
    world.receive()
    assert not world.up, "the room has come, the missed diff has not"
    world.settle()
    assert world.seat.log == ["turn 0", "turn 1"]
    (first,), (second,) = world.answers.values()
    assert isinstance(first, Diff)
    assert isinstance(second, Diff)
    assert [first.move, second.move] == world.seat.log


def test_a_session_that_follows_nothing_has_nothing_to_resume() -> None:
    assert Session().resume() == []
