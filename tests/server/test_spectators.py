"""Who may follow a race: anybody, or only its players until it is closed."""

import pytest
from tests.server.guests import Guest, running
from tests.server.stage import (
    ADA,
    BOB,
    CARL,
    DORA,
    ROOM,
    any_move,
    live,
    only,
    only_refusal,
    racing,
)
from tests.support.clock import Clock
from tests.support.times import NOON

from bigben_protocol import (
    Create,
    GetCurves,
    GetRecord,
    GetStandings,
    Hello,
    Join,
    Leave,
    Left,
    Progress,
    Ready,
    Record,
    Refused,
    Resume,
    Reveal,
    Room,
    Snapshot,
    Standings,
    Start,
    Unready,
    Watch,
    Welcome,
)
from bigben_server.race.transitions import RaceMessage
from bigben_server.storage.client import Client

ONLY_PLAYERS = ("seat", "Only its players can see this race until it is over.")
ASKS: tuple[RaceMessage, ...] = (
    *(Watch(ROOM), Resume(ROOM), Resume(ROOM, 3), GetStandings(ROOM), GetCurves(ROOM)),
    *(GetStandings(ROOM, only=(ADA.id,)), GetRecord(ROOM), GetRecord(ROOM, ADA.id)),
)
CHANGES: tuple[RaceMessage, ...] = (Join(ROOM), Ready(ROOM), Unready(ROOM), Start(ROOM))


@pytest.mark.parametrize("message", ASKS, ids=repr)
def test_a_race_without_spectators_tells_a_stranger_nothing(message: RaceMessage) -> None:
    waiting = live(ADA, BOB, spectate=False)
    assert only_refusal(waiting.say(DORA, message)) == ONLY_PLAYERS
    stage = racing(ADA, BOB, spectate=False)
    stage.move(ADA, any_move(stage.told[ADA.id]))
    assert only_refusal(stage.say(DORA, message)) == ONLY_PLAYERS


@pytest.mark.parametrize("message", CHANGES, ids=repr)
def test_nor_does_it_by_refusing_what_only_players_do(message: RaceMessage) -> None:
    stage = racing(ADA, BOB, spectate=False)
    (refused,) = stage.say(DORA, message)
    assert isinstance(refused, Refused)
    assert "watch" not in refused.text


def test_once_it_is_closed_it_is_open_to_all() -> None:
    stage = racing(ADA, BOB, spectate=False)
    stage.move(ADA, "resign")
    stage.move(BOB, "resign")
    stage.wait(0)
    told = stage.watch(DORA)
    assert only(told, Standings).final
    only(told, Reveal)
    only(stage.say(DORA, GetRecord(ROOM, ADA.id)), Record)


def test_its_players_follow_it_as_always() -> None:
    stage = racing(ADA, BOB, spectate=False)
    stage.move(ADA, any_move(stage.told[ADA.id]))
    assert stage.heard(BOB, Progress)[-1].seats[0].moves == 1
    only(stage.say(BOB, GetStandings(ROOM)), Standings)
    only(stage.watch(BOB), Room)


def test_a_spectator_gets_the_progress_of_all_and_boards_after_the_close() -> None:
    stage = racing(ADA, BOB, CARL)
    stage.watch(DORA)
    asked = GetRecord(ROOM, ADA.id)
    for player in (ADA, BOB, CARL):
        stage.move(player, any_move(stage.told[player.id]))
        assert only_refusal(stage.say(DORA, asked))[0] == "phase"
    moved = {seat.player for told in stage.heard(DORA, Progress) for seat in told.seats}
    assert moved == {ADA.id, BOB.id, CARL.id}
    assert not stage.heard(DORA, Snapshot)
    for player in (ADA, BOB, CARL):
        stage.move(player, "resign")
    stage.wait(0)
    for asker in (DORA, ADA, BOB):
        assert only(stage.say(asker, asked), Record).order


async def test_who_loses_their_seat_hears_no_more_of_it(client: Client) -> None:
    clock = Clock(NOON)
    async with running(client, clock) as app:
        ada, bob, late, left = (Guest(app) for _ in range(4))
        players = [
            (await one.ask(Hello(name=name), Welcome)).player
            for one, name in ((ada, "Ada"), (bob, "Bob"), (late, "Late"), (left, "Left"))
        ]
        race = (await ada.ask(Create(spectate=False), Room)).race
        for one in (bob, late, left):
            await one.ask(Join(race, 1), Room)
        await left.ask(Leave(race, 2), Left)
        for one in (ada, bob):
            await one.ask(Ready(race, ref=3), Room)
        await ada.ask(Start(race, 4), Room)
        dropped = await late.until(Room, lambda room: room.phase == "countdown")
        assert [seat.player for seat in dropped.seats] == players[:2]
        room = app.hub.rooms[race]
        assert [*room.subscribers] == players[:2]
        late.say(GetStandings(race, 5))
        refused = await late.until(Refused)
        assert (refused.code, refused.text) == ONLY_PLAYERS
