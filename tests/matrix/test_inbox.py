"""What users ask is done once and in their order, whenever the bot is killed."""

import asyncio
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.discord.standin.changes import Changes

from bigben_chat import requests
from bigben_chat.happenings import Asked, Said, Unreacted
from bigben_chat.platform import Away
from bigben_chat.requests import MOST_A_MINUTE, MOST_WAITING, OLD_S, Request
from bigben_chat.store import Store
from bigben_chat.untrusted import Json
from bigben_matrix.homeserver import Batch, Homeserver, RoomUpdate
from bigben_matrix.inbox import Inbox
from bigben_matrix.rooms import Rooms

ME: Final = "@bigben:matrix.example"
ROOM: Final = "!room:matrix.example"
NOW: Final = datetime(2026, 11, 29, 8, tzinfo=UTC)


def said(user: str, number: int, *, ago: float = 0) -> Json:
    """A message, ``ago`` seconds old."""
    return {
        "type": "m.room.message",
        "event_id": f"${user}{number}",
        "sender": f"@{user}:matrix.example",
        "origin_server_ts": int((NOW.timestamp() - ago) * 1_000),
        "content": {"msgtype": "m.text", "body": f"{number}"},
    }


class Script(Homeserver):
    """A homeserver whose syncs are written down; a position is how many there were."""

    def __init__(self, batches: list[list[Json]], world: "World") -> None:
        super().__init__("http://nobody.invalid", "a token")
        self.user = ME
        self._batches = batches
        self._world = world

    async def sync(self, since: str | None, *, whole: bool = False) -> Batch:
        at = 0 if since is None else int(since)
        await self._world.step()
        if at == len(self._batches):
            await self._world.idle()
        return Batch(f"{at + 1}", {ROOM: RoomUpdate([], self._batches[at])}, whole=whole)


class World:
    """What is there whatever is killed: the store, and what was done."""

    def __init__(self, folder: Path, batches: list[list[Json]], deaths: set[int]) -> None:
        self.done: list[tuple[Asked, str]] = []
        """What was done, and why it was refused, or that it had begun before."""
        self.begun: list[str] = []
        self.changes = Changes()
        self.away = 0
        """How often the platform is away from now on."""
        self._folder, self._batches, self._deaths = folder, batches, deaths
        self._steps = 0
        self._dead = self._idle = False

    async def step(self) -> None:
        """A moment when the bot may be killed."""
        self._steps += 1
        if self._dead or self._steps in self._deaths:
            self._dead = True
            self.changes.notify()
            await asyncio.Event().wait()
        # As it would at its homeserver.
        await asyncio.sleep(0)

    async def idle(self) -> None:
        """Nothing happens any more."""
        self._idle = True
        self.changes.notify()
        await asyncio.Event().wait()

    async def run(self, request: Request, again: bool) -> None:
        """Do what was asked."""
        what = request.what
        if not isinstance(what, Asked):
            return
        await self.step()
        self.begun.append(what.event)
        if self.away:
            self.away -= 1
            raise Away
        self.done.append((what, request.refused or ("again" if again else "")))
        self.changes.notify()
        await self.step()

    @property
    def seen_to(self) -> set[str]:
        """The events about which something was done."""
        return {what.event for what, _ in self.done}

    async def live(self, expected: set[str]) -> None:
        """A bot, killed at every moment that is meant for it, until it has done all of it."""
        dead = True
        while dead:
            self._dead = self._idle = False
            store = Store(self._folder / "bot.sqlite")
            homeserver = Script(self._batches, self)
            inbox = Inbox(
                homeserver, Rooms(homeserver, store), store, self.run, lambda _: True, lambda: NOW
            )
            self.following = asyncio.create_task(inbox.follow())
            self.following.add_done_callback(lambda _: self.changes.notify())
            await self.changes.until(
                lambda: (
                    self._dead or self.following.done() or (self._idle and self.seen_to >= expected)
                ),
                "the bot has seen to everything",
            )
            dead = self._dead
            self.following.cancel()
            with suppress(asyncio.CancelledError):
                await self.following
            await homeserver.close()
            store.close()


def lived(
    batches: list[list[Json]],
    *deaths: int,
    without: frozenset[str] = frozenset(),
    away: int = 0,
) -> World:
    """What a bot does about all that, ``without`` some events, which it has to leave out."""
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(requests, "FINISH_S", 0)  # it is killed, not stopped
        world = World(Path(folder), batches, set(deaths))
        world.away = away
        events = {event["event_id"] for batch in batches for event in batch}
        asyncio.run(world.live(events - without))
        return world


@st.composite
def evenings(draw: st.DrawFn) -> list[list[Json]]:
    """What three users say, as a homeserver tells it."""
    batches = draw(st.lists(st.lists(st.sampled_from("abc"), max_size=4), min_size=1, max_size=5))
    number = iter(range(1_000))
    return [[said(user, next(number)) for user in batch] for batch in batches]


@given(evenings(), st.sets(st.integers(1, 40), max_size=6))
@settings(max_examples=50, deadline=None)
def test_every_command_is_done_once_and_in_order_whenever_the_bot_is_killed(
    batches: list[list[Json]], deaths: set[int]
) -> None:
    world = lived(batches, *deaths)
    first = [what for what, why in world.done if not why]
    assert len(first) == len({what.event for what in first}), "nothing is done twice"
    for user in "abc":
        asked = [event["event_id"] for batch in batches for event in batch]
        ours = [event for event in asked if event.startswith(f"${user}")]
        done = [what.event for what, _ in world.done if what.event in ours]
        assert list(dict.fromkeys(done)) == ours, "in their order"


def test_the_bot_may_be_killed_at_every_moment_of_an_evening() -> None:
    batches = [[said("a", 1), said("b", 2)], [said("a", 3)]]
    for death in range(1, 12):
        world = lived(batches, death)
        for event in ("$a1", "$b2", "$a3"):
            whys = [why for what, why in world.done if what.event == event]
            # Only what was being done at that moment is said to have been interrupted.
            assert whys in ([""], ["again"], ["", "again"]), f"killed at {death}"


def test_what_had_begun_is_told_and_not_done_once_more() -> None:
    # The steps are: sync, the next sync, before the command is done, after it.
    world = lived([[said("a", 1)]], 4)
    assert [why for _, why in world.done] == ["", "again"]
    assert [why for _, why in lived([[said("a", 1)]], 3).done] == ["again"]


def test_nobody_waits_for_another_but_everybody_for_themselves() -> None:
    world = lived([[said("a", 1), said("a", 2), said("b", 3)]])
    assert world.begun == ["$a1", "$b3", "$a2"]


def test_beyond_twenty_commands_a_user_gets_one_sentence() -> None:
    asked = [said("a", number) for number in range(MOST_WAITING + 4)]
    others = [said("b", number) for number in range(3)]
    beyond = frozenset(event["event_id"] for event in asked[MOST_WAITING + 1 :])
    world = lived([asked + others], without=beyond)
    whys = [why for what, why in world.done if what.sender.startswith("@a")]
    assert whys == [""] * MOST_WAITING + ["wrong.too_fast"]
    assert [why for what, why in world.done if what.sender.startswith("@b")] == [""] * 3


def test_another_bot_that_answers_every_answer_is_told_so_once_and_then_left_alone() -> None:
    asked = [said("a", number) for number in range(MOST_A_MINUTE + 9)]
    beyond = frozenset(event["event_id"] for event in asked[MOST_A_MINUTE + 1 :])
    one_by_one = [batch for one in asked for batch in ([one], *[[]] * 8)]
    world = lived([*one_by_one, [said("b", 1)]], without=beyond)
    whys = [why for what, why in world.done if what.sender.startswith("@a")]
    assert whys == [""] * MOST_A_MINUTE + ["wrong.too_fast"]
    assert world.done[-1][0].sender.startswith("@b")


def test_what_was_said_long_ago_is_not_obeyed_and_its_user_told_once() -> None:
    old = [said("a", 1, ago=OLD_S + 1), said("a", 2, ago=OLD_S + 1), said("b", 3)]
    world = lived([[*old, said("a", 4)]], without=frozenset({"$a2"}))
    done = [(what.event, why) for what, why in world.done]
    assert done == [("$a1", "wrong.too_old"), ("$b3", ""), ("$a4", "")]


def test_no_sentence_is_said_between_two_others_to_who_mixes_old_and_new_commands() -> None:
    asked = [said("a", number) for number in range(MOST_WAITING)]
    mixed = [said("a", 100 + number, ago=number % 2 * (OLD_S + 1)) for number in range(9)]
    beyond = frozenset(event["event_id"] for event in mixed[1:])
    whys = [why for _, why in lived([asked + mixed], without=beyond).done]
    assert whys == [""] * MOST_WAITING + ["wrong.too_fast"]


def test_a_command_is_tried_again_while_the_platform_is_away() -> None:
    world = lived([[said("a", 1), said("a", 2)]], away=2)
    assert world.begun == ["$a1", "$a1", "$a1", "$a2"]
    assert [why for _, why in world.done] == ["again", ""]


def test_a_command_that_comes_once_more_is_not_obeyed_once_more() -> None:
    one, two = said("a", 1), said("a", 2)
    for death in range(1, 9):
        world = lived([[one], [one, two], [two]], death)
        done = [what.event for what, why in world.done if not why]
        assert sorted(done) == sorted(set(done))


def test_a_reaction_is_taken_back_by_its_own_user_only() -> None:
    about = {"rel_type": "m.annotation", "event_id": "$lobby", "key": "✅"}
    reaction = {**said("a", 1), "type": "m.reaction", "content": {"m.relates_to": about}}
    removed = {"type": "m.room.redaction", "content": {"redacts": "$a1"}}
    by_other, by_own = {**said("b", 2), **removed}, {**said("a", 3), **removed}
    world = lived([[reaction], [by_other], [by_own]], 7, without=frozenset({"$b2"}))
    taken = [what for what, _ in world.done if isinstance(what, Unreacted)]
    assert {(one.event, one.target, one.key) for one in taken} == {("$a3", "$lobby", "✅")}


def test_a_bot_that_is_stopped_finishes_what_it_has_begun_and_begins_nothing_more() -> None:
    class Stopped(World):
        async def run(self, request: Request, again: bool) -> None:
            if not self.begun:
                self.following.cancel()
                await asyncio.sleep(0)
            await super().run(request, again)

    with TemporaryDirectory() as folder:
        world = Stopped(Path(folder), [[said("a", 1), said("a", 2)]], set())
        asyncio.run(world.live({"$a1"}))
        assert [(what.event, why) for what, why in world.done] == [("$a1", "")]
        asyncio.run(world.live({"$a1", "$a2"}))
        assert [(what.event, why) for what, why in world.done] == [("$a1", ""), ("$a2", "")]


def test_a_mistake_in_one_command_stops_no_other() -> None:
    class Mistaken(World):
        async def run(self, request: Request, again: bool) -> None:
            if isinstance(request.what, Said) and request.what.text == "1":
                raise ZeroDivisionError
            await super().run(request, again)

    with TemporaryDirectory() as folder:
        world = Mistaken(Path(folder), [[said("a", 1), said("a", 2)]], set())
        asyncio.run(world.live({"$a2"}))
    assert [what.event for what, _ in world.done] == ["$a2"]
