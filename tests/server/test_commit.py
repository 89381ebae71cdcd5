"""Group commit: in order, one batch at a time, and what can be taken back."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress

import pytest
import uvloop
from tests.server.guests import RecordedSession
from tests.server.stage import ADA, ROOM
from tests.support.patience import PATIENCE_S
from tests.support.times import NOON

from bigben_protocol import (
    CODECS,
    JSON,
    Diff,
    Join,
    Move,
    RaceId,
    Refused,
    Watch,
)
from bigben_protocol.sentence import sentence
from bigben_server.race.decisions import Reply, Subscribe
from bigben_server.race.events import (
    NOTHING,
    Entry,
    Joined,
    Refusal,
    RoomAppend,
    SeatAppend,
    SeatStatus,
)
from bigben_server.rooms import batch
from bigben_server.rooms.batch import Batches, touches
from bigben_server.rooms.requests import Decision, Request

OTHER = RaceId("QQQQQQ")
JOINED = RoomAppend(ROOM, 2, Joined(ADA.id, "Ada", NOON))
MOVED = SeatAppend(ROOM, ADA.id, Entry(1, 5, "turn"), SeatStatus("playing", 1), NOTHING)


class Log:
    """A store in which a commit takes as long as a test wants it to."""

    def __init__(self) -> None:
        self.turns: list[list[Decision]] = []
        self.ended = asyncio.Event()
        self.begun = asyncio.Event()
        self.go_on = asyncio.Event()
        self.committer = Batches()

    async def next_turn(self) -> list[Decision]:
        """Wait until a commit is under way."""
        await self.begun.wait()
        self.begun.clear()
        return self.turns[-1]

    async def finish(self) -> None:
        """Let the commit end, and wait until it has."""
        self.go_on.set()
        await self.ended.wait()
        self.ended.clear()

    async def run(self) -> None:
        while True:
            batch = await self.committer.next()
            self.turns.append(batch.decisions)
            self.begun.set()
            await self.go_on.wait()
            self.go_on.clear()
            self.committer.done()
            self.ended.set()


@pytest.fixture
async def log() -> AsyncIterator[Log]:
    log = Log()
    running = asyncio.create_task(log.run())
    yield log
    running.cancel()
    with suppress(asyncio.CancelledError):
        await running


def outcome(race: RaceId = ROOM) -> Decision:
    return Decision(race, None, (), [Subscribe()])


async def test_requests_of_one_moment_are_one_commit_in_their_order(log: Log) -> None:
    turn = [outcome(), outcome(OTHER), outcome()]
    for each in turn:
        log.committer.add(each)
    assert [id(each) for each in await log.next_turn()] == [id(each) for each in turn]


async def test_requests_that_come_meanwhile_are_the_next_commit(log: Log) -> None:
    log.committer.add(outcome())
    await log.next_turn()
    log.committer.add(outcome(OTHER))
    log.committer.add(outcome(OTHER))
    assert len(log.turns) == 1, "one commit is under way at a time"
    await log.finish()
    assert [each.race for each in await log.next_turn()] == [OTHER, OTHER]


async def test_a_batch_soon_after_another_waits_for_company(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch, "GATHERING_S", 1_000)
    log.committer.add(outcome())
    assert len(await log.next_turn()) == 1, "after a pause nothing is waited for"
    await log.finish()
    for _ in range(batch.ENOUGH - 1):
        log.committer.add(outcome())
        await asyncio.sleep(0)
    assert len(log.turns) == 1
    log.committer.add(outcome(OTHER))
    assert len(await log.next_turn()) == batch.ENOUGH


async def test_a_batch_waits_only_for_those_whom_the_last_one_answered(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch, "GATHERING_S", 1_000)
    ada, bob, cy = (Request.of(RecordedSession(), Watch(ROOM)) for _ in range(3))
    for request in (ada, bob):
        log.committer.add(Decision(ROOM, request))
    await log.next_turn()
    await log.finish()
    for request in (ada, cy, ada):
        log.committer.add(Decision(ROOM, request))
        await asyncio.sleep(0)
    assert len(log.turns) == 1
    log.committer.add(Decision(ROOM, bob))
    assert [each.request for each in await log.next_turn()] == [ada, cy, ada, bob]


async def test_a_batch_does_not_wait_long_for_company(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch, "GATHERING_S", 0.01)
    log.committer.add(outcome())
    await log.next_turn()
    await log.finish()
    log.committer.add(outcome(OTHER))
    assert [each.race for each in await log.next_turn()] == [OTHER]


async def test_a_batch_of_large_fields_waits_longer_unless_another_race_cannot(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch, "GATHERING_S", 0.01)
    monkeypatch.setattr(batch, "PATIENT_S", 1_000)
    log.committer.add(outcome(), patient=True)
    assert len(await log.next_turn()) == 1, "after a pause nothing is waited for"
    await log.finish()
    log.committer.add(outcome(), patient=True)
    log.committer.add(outcome(OTHER))
    log.committer.add(outcome(), patient=True)
    assert len(await log.next_turn()) == 3


async def test_a_race_is_held_until_its_commit_has_ended(log: Log) -> None:
    assert not log.committer.holds(ROOM)
    log.committer.add(outcome())
    assert log.committer.holds(ROOM)
    await log.next_turn()
    assert log.committer.holds(ROOM)
    assert not log.committer.holds(OTHER)
    await log.finish()
    assert not log.committer.holds(ROOM)


async def test_waiting_decisions_can_be_withdrawn_but_not_those_under_way(log: Log) -> None:
    under_way = outcome()
    log.committer.add(under_way)
    await log.next_turn()
    waiting = [outcome(), outcome(OTHER), outcome()]
    for each in waiting:
        log.committer.add(each)
    taken = log.committer.withdraw([ROOM])
    assert [id(each) for each in taken] == [id(waiting[0]), id(waiting[2])]
    assert log.committer.holds(ROOM), "one of it is under way"
    await log.finish()
    assert await log.next_turn() == [waiting[1]]
    assert log.committer.withdraw([ROOM]) == []


async def test_settled_waits_only_for_earlier_decisions(log: Log) -> None:
    await log.committer.settled()
    log.committer.add(outcome())
    await log.next_turn()
    log.committer.add(outcome(OTHER))
    settling = asyncio.create_task(log.committer.settled())
    await log.finish()
    await log.next_turn()
    assert not settling.done(), "it was added before"
    log.committer.add(outcome())
    await log.finish()
    await settling


async def test_settled_is_noticed_even_if_two_batches_end_at_the_same_moment() -> None:
    """A turn with nothing to write takes no time."""
    batches = Batches()
    batches.add(outcome(ROOM))
    await batches.next()
    batches.add(outcome(OTHER))
    settling = asyncio.create_task(batches.settled())
    await asyncio.sleep(0)
    batches.done()
    await batches.next()
    batches.done()
    async with asyncio.timeout(PATIENCE_S):
        await settling


async def test_what_is_taken_back_is_settled_when_nothing_else_waits() -> None:
    """Another process was first: what waits behind the refused decision is withdrawn."""
    batches = Batches()
    batches.add(outcome(ROOM))
    await batches.next()
    batches.add(outcome(ROOM))
    settling = asyncio.create_task(batches.settled())
    await asyncio.sleep(0)
    batches.withdraw([ROOM])
    batches.done()
    assert (await asyncio.wait_for(batches.next(), 30)).decisions == []
    batches.done()
    await asyncio.wait_for(settling, 30)


def test_a_decision_joins_a_batch_that_is_about_to_begin(monkeypatch: pytest.MonkeyPatch) -> None:
    """In less than half a millisecond, for which uvloop makes no timer."""
    monkeypatch.setattr(batch, "GATHERING_S", 0.0004)

    async def commit() -> list[RaceId]:
        batches = Batches()
        batches.add(outcome(ROOM))
        await batches.next()
        batches.done()
        batches.add(outcome(ROOM))
        batches.add(outcome(OTHER))
        return [each.race for each in (await batches.next()).decisions]

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        assert runner.run(asyncio.wait_for(commit(), PATIENCE_S)) == [ROOM, OTHER]


# Decisions and whose they are


def test_an_outcome_knows_its_appends_and_their_logs() -> None:
    diff = Refused("phase", "Not now.")
    both = Decision(ROOM, None, [JOINED, MOVED], [Subscribe(), Reply(diff)])
    assert both.appends == [JOINED, MOVED]
    assert touches(both, {(ROOM, ADA.id)})
    assert touches(both, [(ROOM, None), (OTHER, None)])
    assert not touches(both, [(OTHER, None)])
    assert not touches(both, [])
    assert not touches(outcome(), [(ROOM, None)])


@pytest.mark.parametrize("message", [Move(ROOM, 7, "turn"), Join(ROOM, 7), Watch(ROOM, 7)])
def test_an_answer_refers_to_the_number_of_a_move_or_to_the_ref(
    message: Join | Move | Watch,
) -> None:
    session = RecordedSession()
    session.player = ADA
    request = Request.of(session, message)
    assert (request.player, request.ref) == (ADA, 7)
    request.refuse(Refusal("phase", sentence("race.running")))
    [[frame]] = session.written
    assert CODECS[JSON].decode_server(frame.decode()) == Refused(
        "phase", "The race is running.", ROOM, 7, id="race.running"
    )


def test_frames_go_out_together_and_in_order() -> None:
    session = RecordedSession()
    diff = Diff(ROOM, 1, "turn", (), "playing", 12, 5, (), 0)
    session.put(diff)
    session.put_frame(b"encoded already")
    assert session.written == []
    session.flush()
    session.flush()
    assert session.written == [[CODECS[JSON].encode(diff), b"encoded already"]]


async def test_settled_does_not_wait_for_a_batch_that_failed() -> None:
    batches = Batches()
    batches.add(Decision(ROOM, None, [JOINED]))
    await batches.next()
    settled = asyncio.create_task(batches.settled())
    await asyncio.sleep(0)
    assert not settled.done()
    batches.close()
    await settled
    await batches.settled()


async def test_a_commit_that_starts_again_omits_the_failed_decision() -> None:
    batches = Batches()
    batches.add(outcome(ROOM))
    await batches.next()
    batches.close()
    batches.add(outcome(OTHER))
    assert [each.race for each in (await batches.next()).decisions] == [OTHER]
    assert not batches.holds(ROOM)


async def test_settled_waits_for_the_first_batch_after_one_that_broke() -> None:
    """It leaves the event loop to others meanwhile."""
    batches = Batches()
    batches.add(outcome(ROOM))
    await batches.next()
    batches.close()
    batches.add(outcome(OTHER))
    await batches.next()
    settled = asyncio.create_task(batches.settled())
    asyncio.get_running_loop().call_soon(batches.done)
    # Where it did not wait, it would never return, and this test would not either.
    await asyncio.wait_for(settled, 30)
