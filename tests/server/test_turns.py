"""Turns: few at a time, no payer more than its share, and nobody waits behind a crowd."""

import asyncio
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.torture import examples

from bigben_protocol.sentence import sentence
from bigben_server.race.events import Refusal
from bigben_server.sharing.turns import Turns


class Queue:
    """Tasks that take a turn each and keep it until they are told to leave."""

    def __init__(self, *, at_once: int, each: int, most_waiting: int = 1_000) -> None:
        self.turns = Turns(
            at_once=at_once, each=each, most_waiting=most_waiting, full=sentence("server.full")
        )
        self.ahead: list[str] = []
        """Whose turn it is; in the order in which they got it."""
        self.refused: list[str] = []
        self.leaving: dict[str, asyncio.Event] = {}
        self._tasks: list[asyncio.Task[None]] = []

    async def come(self, *names: str) -> list[asyncio.Task[None]]:
        """Ask for turns. The payer of ``ada2`` is ``ada``."""
        came = [asyncio.create_task(self._turn(name)) for name in names]
        self._tasks += came
        await asyncio.sleep(0)
        return came

    async def leave(self, *names: str) -> None:
        for name in names:
            self.leaving[name].set()
        for _ in range(3):  # the next ones get their turns
            await asyncio.sleep(0)

    async def _turn(self, name: str) -> None:
        leave = self.leaving[name] = asyncio.Event()
        try:
            async with self.turns.turn(name.rstrip("0123456789")):
                self.ahead.append(name)
                try:
                    await leave.wait()
                finally:
                    self.ahead.remove(name)
        except Refusal:
            self.refused.append(name)

    async def end(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.wait(self._tasks)


async def test_a_payer_has_its_share_at_most_and_the_rest_is_for_others() -> None:
    queue = Queue(at_once=3, each=2)
    await queue.come("ada1", "ada2", "ada3", "bob1", "carl1")
    assert queue.ahead == ["ada1", "ada2", "bob1"]
    assert queue.turns.waiting == 2
    await queue.leave("bob1")
    assert queue.ahead == ["ada1", "ada2", "carl1"], "ada has her share"
    await queue.end()


async def test_those_who_wait_take_turns_however_many_one_of_them_has() -> None:
    queue = Queue(at_once=1, each=1)
    await queue.come(*(f"ada{n}" for n in range(9)), "bob0", "bob1", "carl0")
    order = []
    while queue.ahead:
        order += queue.ahead
        await queue.leave(*queue.ahead)
    assert order[:6] == ["ada0", "ada1", "bob0", "carl0", "ada2", "bob1"]
    assert order[6:] == [f"ada{n}" for n in range(3, 9)]


async def test_when_too_many_wait_the_newest_of_the_largest_crowd_is_refused_at_once() -> None:
    queue = Queue(at_once=1, each=1, most_waiting=3)
    await queue.come("ada0", "ada1", "ada2", "ada3")
    assert queue.refused == []
    await queue.come("ada4")
    assert queue.refused == ["ada4"]
    await queue.come("bob0")
    await asyncio.sleep(0)
    assert queue.refused == ["ada4", "ada3"], "bob has a place, and ada one less"
    assert queue.turns.waiting == 3
    await queue.end()


async def test_a_turn_is_taken_at_once_only_if_nobody_waits() -> None:
    turns = Turns(at_once=2, each=1, most_waiting=9, full=sentence("server.full"))
    assert turns.take("ada")
    assert not turns.take("ada")
    assert turns.take("")
    turns.leave("ada")
    turns.leave("")
    assert turns.take("ada")


async def test_who_is_cancelled_gives_up_the_place_or_the_turn() -> None:
    queue = Queue(at_once=1, each=1)
    _, waiting, _ = await queue.come("ada0", "ada1", "ada2")
    waiting.cancel()
    await asyncio.wait([waiting])
    assert queue.turns.waiting == 1
    next_one = (await queue.come("bob0"))[0]
    queue.leaving["ada0"].set()
    await asyncio.sleep(0)
    next_one.cancel()
    for _ in range(3):
        await asyncio.sleep(0)
    assert queue.ahead == ["ada2"]
    await queue.leave("ada2")
    assert queue.turns.take("anybody"), "no turn is lost"
    await queue.end()


things = st.lists(
    st.tuples(st.sampled_from("abc"), st.sampled_from(["come", "leave", "cancel"])), max_size=60
)


@examples(60)
@given(st.integers(1, 4), st.integers(1, 3), st.integers(1, 6), things)
async def test_whatever_comes_and_goes_the_bounds_hold_and_no_turn_is_lost(
    at_once: int, each: int, most_waiting: int, happens: list[tuple[str, str]]
) -> None:
    queue = Queue(at_once=at_once, each=each, most_waiting=most_waiting)
    tasks: dict[str, asyncio.Task[None]] = {}
    for n, (payer, what) in enumerate(happens):
        mine = [name for name in tasks if name[0] == payer and not tasks[name].done()]
        if what == "come":
            (tasks[f"{payer}{n}"],) = await queue.come(f"{payer}{n}")
        elif mine and what == "leave":
            await queue.leave(mine[0])
        elif mine:
            tasks[mine[-1]].cancel()
        for _ in range(3):
            await asyncio.sleep(0)
        of_payers = Counter(name[0] for name in queue.ahead)
        assert len(queue.ahead) <= at_once
        assert max(of_payers.values(), default=0) <= each
        assert queue.turns.waiting <= most_waiting
        if queue.turns.waiting:  # those who wait could not go
            assert len(queue.ahead) == at_once or max(of_payers.values()) == each
    if tasks:
        await queue.end()
    assert queue.turns.waiting == 0
    for _ in range(at_once):
        assert queue.turns.take(object())


async def test_a_refusal_reaches_the_caller() -> None:
    turns = Turns(at_once=1, each=1, most_waiting=1, full=sentence("server.full"))
    assert turns.take("ada")
    waiting = asyncio.create_task(turns.wait("ada"))
    await asyncio.sleep(0)
    with pytest.raises(Refusal, match="try again"):
        await turns.wait("ada")
    turns.leave("ada")
    await waiting
