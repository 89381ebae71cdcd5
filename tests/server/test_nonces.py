"""Nonces that come after all hashes are fixed, so that nobody may choose the deal."""

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.server.stage import ADA, BOB, CARL, NONCE, ROOM, SECOND, Stage, live, only, only_refusal
from tests.support.torture import examples

from bigben_protocol import (
    AddHouse,
    Chosen,
    PlayerId,
    Ready,
    Reveal,
    Room,
    SendNonce,
    ServerMessage,
    Snapshot,
    house_player,
)
from bigben_rules import nonce_hash
from bigben_server.race import timers
from bigben_server.race.choosing import ALONE_MS, CHOOSING_MS, COUNTDOWN_MS, MIXING_MS
from bigben_server.race.events import Mixed, Player, Readied, Renewed, RoomEvent, version_of

NONCES = {player.id: f"{n:02x}" * 32 for n, player in enumerate((ADA, BOB, CARL), start=1)}
HOUSE = Player(house_player("beginner"), "Pip (house)", bot=True)


def promised(player: Player, nonce: str = "") -> str:
    return nonce_hash(ROOM, player.id, bytes.fromhex(nonce or NONCES[player.id]))


def promise(stage: Stage, *players: Player) -> None:
    for player in players:
        stage.say(player, Ready(ROOM, nonce_hash=promised(player)))


def send(stage: Stage, player: Player, nonce: str = "") -> list[ServerMessage]:
    return stage.say(player, SendNonce(ROOM, nonce or NONCES[player.id], 1))


def mixing(*players: Player, **wanted: object) -> Stage:
    """A room whose players have promised nonces: the countdown has begun."""
    stage = live(*players, **wanted)
    promise(stage, *players)
    if len(players) == 1:
        stage.start(players[0])
    return stage


def room_of(stage: Stage) -> Room:
    return stage.heard(ADA, Room)[-1]


def events_of(stage: Stage, kind: type[RoomEvent]) -> list[RoomEvent]:
    return [event for event in stage.room_log if isinstance(event, kind)]


def closed(stage: Stage) -> Reveal:
    """The deal, once all have given up."""
    stage.wait(COUNTDOWN_MS)
    for player in (ADA, BOB, CARL):
        if player.id in stage.race.seats:
            stage.move(player, "resign")
    stage.wait(0)
    return stage.heard(ADA, Reveal)[-1]


def test_a_hash_is_bound_to_its_race_and_player() -> None:
    nonce = bytes(range(32))
    parts = (b"bigben-nonce-v1", b"K7QPXM", b"guest:ada", nonce)
    whole = b"".join(len(part).to_bytes(8, "big") + part for part in parts)
    assert nonce_hash("K7QPXM", "guest:ada", nonce) == sha256(whole).hexdigest()
    others = {nonce_hash(*at, nonce) for at in (("K7QPXMg", "uest:ada"), ("OTHER1", "guest:ada"))}
    assert len({*others, nonce_hash("K7QPXM", "guest:ada", nonce)}) == 3


def test_the_room_shows_every_hash_and_no_nonce() -> None:
    stage = live(ADA, BOB, CARL)
    promise(stage, ADA)
    assert room_of(stage).nonce_hashes == (promised(ADA), "", "")
    stage.ready(BOB)  # an older client
    early = nonce_hash(ROOM, BOB.id, bytes.fromhex(NONCE))
    assert room_of(stage).nonce_hashes == (promised(ADA), early, "")
    stage.unready(ADA)
    assert room_of(stage).nonce_hashes == ("", early, "")


def test_nonces_are_mixed_when_all_have_come() -> None:
    stage = mixing(ADA, BOB)
    room = room_of(stage)
    assert (room.phase, room.mixing, room.starts_at) == ("countdown", True, 0)
    send(stage, ADA)
    assert room_of(stage).mixing
    assert stage.heard(BOB, Snapshot) == []
    stage.wait(SECOND)
    send(stage, BOB)
    room = room_of(stage)
    assert (room.phase, room.mixing) == ("countdown", False)
    assert room.starts_at == stage.now + COUNTDOWN_MS
    mixed_at = stage.now
    reveal = closed(stage)
    both = bytes.fromhex(NONCES[ADA.id] + NONCES[BOB.id])
    assert reveal.seed == sha256(bytes.fromhex(reveal.server_seed) + both).hexdigest()
    assert reveal.nonces == (NONCES[ADA.id], NONCES[BOB.id])
    assert (reveal.nonce_states, reveal.mixed_at) == (("late", "late"), mixed_at)


def test_a_nonce_that_does_not_come_is_left_out_and_named() -> None:
    stage = mixing(ADA, BOB)
    send(stage, BOB)
    stage.wait(MIXING_MS - 1)
    assert room_of(stage).mixing
    stage.wait(1)
    assert not room_of(stage).mixing
    code, text = only_refusal(send(stage, ADA))
    assert (code, text) == ("phase", "The nonces are mixed already; yours came too late.")
    reveal = closed(stage)
    assert reveal.nonces == ("", NONCES[BOB.id])
    assert reveal.nonce_states == ("withheld", "late")


def test_without_any_nonce_the_race_is_cancelled_and_says_why() -> None:
    stage = mixing(ADA, BOB).wait(MIXING_MS).wait(MIXING_MS)
    room = room_of(stage)
    assert (room.phase, room.unmixed, room.starts_at) == ("cancelled", True, 0)
    assert stage.heard(ADA, Snapshot) == []
    left = live(ADA)
    left.watch(BOB)
    left.leave(ADA)
    room = left.heard(BOB, Room)[-1]
    assert (room.phase, room.unmixed) == ("cancelled", False)


def test_a_nonce_is_sent_again_without_any_change() -> None:
    stage = mixing(ADA, BOB)
    send(stage, ADA)
    k = stage.race.event_count
    only(send(stage, ADA), Room)
    assert stage.race.event_count == k
    send(stage, BOB)
    stage.wait(COUNTDOWN_MS)
    only(send(stage, ADA), Room)


@pytest.mark.parametrize("nonce", ["ff" * 32, NONCES[BOB.id]])
def test_another_nonce_than_the_promised_one_is_refused(nonce: str) -> None:
    stage = mixing(ADA, BOB)
    assert only_refusal(send(stage, ADA, nonce))[0] == "conflict"
    send(stage, ADA)
    assert only_refusal(send(stage, ADA, nonce))[0] == "conflict"


def test_a_nonce_is_taken_only_in_the_countdown_and_only_if_it_was_promised() -> None:
    stage = live(ADA, BOB)
    assert only_refusal(send(stage, ADA))[0] == "phase"
    promise(stage, ADA)
    assert only_refusal(send(stage, ADA))[0] == "phase"
    stage.ready(BOB)
    assert only_refusal(send(stage, BOB, NONCE))[0] == "conflict"
    assert only_refusal(send(stage, CARL))[0] == "seat"


def test_a_copied_hash_is_worthless() -> None:
    stage = live(ADA, BOB)
    stage.say(ADA, Ready(ROOM, nonce_hash=promised(ADA)))
    stage.say(BOB, Ready(ROOM, nonce_hash=promised(ADA)))
    send(stage, ADA)
    assert only_refusal(send(stage, BOB, NONCES[ADA.id]))[0] == "conflict"


def test_ready_with_another_hash_is_refused_like_another_nonce() -> None:
    stage = live(ADA, BOB)
    promise(stage, ADA)
    only(stage.say(ADA, Ready(ROOM, nonce_hash=promised(ADA))), Room)
    for again in (Ready(ROOM), Ready(ROOM, NONCE), Ready(ROOM, nonce_hash="ab" * 32)):
        assert only_refusal(stage.say(ADA, again))[0] == "conflict"
    both = Ready(ROOM, NONCE, nonce_hash=promised(BOB))
    assert only_refusal(stage.say(BOB, both))[0] == "conflict"


def test_house_players_never_contribute() -> None:
    stage = live(ADA)
    stage.say(ADA, AddHouse(ROOM, "beginner"))
    stage.say(HOUSE, Ready(ROOM, NONCE))
    only(stage.say(HOUSE, Ready(ROOM, NONCE)), Room)
    promise(stage, ADA)
    assert room_of(stage).nonce_hashes == (promised(ADA), "")
    send(stage, ADA)
    stage.wait(COUNTDOWN_MS)
    stage.move(ADA, "resign")
    stage.move(HOUSE, "resign")
    stage.wait(0)
    reveal = stage.heard(ADA, Reveal)[-1]
    assert reveal.nonces == (NONCES[ADA.id], "")
    assert reveal.nonce_states == ("late", "none")


def test_older_clients_race_as_they_did() -> None:
    stage = live(ADA, BOB)
    stage.ready(ADA, BOB)
    room = room_of(stage)
    assert (room.phase, room.mixing, room.starts_at) == (
        "countdown",
        False,
        stage.now + COUNTDOWN_MS,
    )
    assert max(map(version_of, stage.room_log)) == 1
    reveal = closed(stage)
    assert (reveal.nonce_states, reveal.mixed_at) == ((), 0)
    assert room_of(stage).nonce_hashes


def test_an_older_client_beside_a_new_one_is_early() -> None:
    stage = live(ADA, BOB)
    promise(stage, ADA)
    stage.ready(BOB)
    send(stage, ADA)
    assert closed(stage).nonce_states == ("late", "early")


def test_a_deal_is_looked_for_after_the_nonces() -> None:
    stage = mixing(ADA, BOB, grade="hard")
    assert (room_of(stage).mixing, room_of(stage).choosing) == (True, False)
    send(stage, ADA)
    send(stage, BOB)
    assert (room_of(stage).mixing, room_of(stage).choosing) == (False, True)
    assert timers.due_at(stage.race, stage.now) == stage.now + CHOOSING_MS
    stage.deal(Chosen(3, "hard", ("3 fdn",)))
    assert room_of(stage).starts_at == stage.now + COUNTDOWN_MS
    assert closed(stage).chosen.deal == 3


def test_any_process_goes_on_from_the_log() -> None:
    stage = mixing(ADA, BOB)
    send(stage, ADA)
    stage.restart().wait(SECOND)
    assert room_of(stage).mixing
    send(stage, BOB)
    stage.restart().wait(0)
    reveal = closed(stage)
    assert reveal.nonce_states == ("late", "late")


def test_if_no_process_was_there_the_time_is_given_once_more() -> None:
    stage = mixing(ADA, BOB)
    stage.restart().wait(MIXING_MS + ALONE_MS)
    assert events_of(stage, Renewed)
    assert room_of(stage).mixing
    send(stage, BOB)
    stage.restart().wait(MIXING_MS + ALONE_MS)
    assert len(events_of(stage, Renewed)) == 1
    assert events_of(stage, Mixed)
    assert closed(stage).nonce_states == ("withheld", "late")


def test_nonces_that_waited_for_redis_until_the_time_was_over_are_taken() -> None:
    stage = mixing(ADA, BOB).wait(MIXING_MS)
    assert room_of(stage).mixing
    send(stage, ADA)
    send(stage, BOB)
    assert closed(stage).nonce_states == ("late", "late")


def test_nobody_notices_whose_nonces_have_come() -> None:
    stage = mixing(ADA, BOB, CARL)
    before = len(stage.told[CARL.id])
    send(stage, ADA)
    assert stage.told[CARL.id][before:] == []


def test_older_servers_never_read_a_hash() -> None:
    assert version_of(Readied(ADA.id, NONCE, 0)) == 1
    assert version_of(Readied(ADA.id, "", 0, promised(ADA))) == 4


@given(st.lists(st.sampled_from(["late", "early", "withheld", "none"]), min_size=2, max_size=6))
@examples(60)
def test_what_became_of_every_nonce_is_told(states: list[str]) -> None:
    players = [Player(PlayerId(f"guest:{n}"), f"Guest {n}") for n in range(len(states))]
    nonces = {player.id: f"{n + 1:02x}" * 32 for n, player in enumerate(players)}
    stage = live(*players)
    for player, state in zip(players, states, strict=True):
        hashed = promised(player, nonces[player.id]) if state in ("late", "withheld") else ""
        early = nonces[player.id] if state == "early" else ""
        stage.say(player, Ready(ROOM, early, nonce_hash=hashed))
    hashes = stage.heard(players[0], Room)[-1].nonce_hashes
    for player, state in zip(players, states, strict=True):
        if state == "late":
            send(stage, player, nonces[player.id])
    stage.wait(MIXING_MS).wait(COUNTDOWN_MS)
    if not {"late", "early"} & {*states} and "withheld" in states:
        assert stage.race.phase(stage.now) == "cancelled"
        return
    for player in players:
        stage.move(player, "resign")
    stage.wait(0)
    reveal = stage.heard(players[0], Reveal)[-1]
    came = [state in ("late", "early") for state in states]
    assert [bool(nonce) for nonce in reveal.nonces] == came
    assert [bool(one) for one in hashes] == [state != "none" for state in states] or not any(hashes)
    waited = bool({"late", "withheld"} & {*states})
    assert reveal.nonce_states == (tuple(states) if waited else ())
