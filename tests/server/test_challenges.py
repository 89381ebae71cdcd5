"""Challenges: one player asks another for a race, who accepts, declines, or does not answer."""

from asyncio import gather
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from typing import NamedTuple

import pytest
from msgspec.structs import replace
from tests.server.guests import Guest, SentAway
from tests.server.test_identities import token
from tests.server.test_two_processes import Two, arrive, two
from tests.support.times import DAY, NOON

from bigben_protocol import (
    AnswerChallenge,
    Challenge,
    ChallengeInfo,
    Challenges,
    Create,
    GetChallenges,
    Hello,
    Join,
    PlayerId,
    Ready,
    Refused,
    Room,
    Snapshot,
    Tie,
    Tied,
    Welcome,
)
from bigben_server.ops.check import damaged
from bigben_server.ops.long_work import SILENT
from bigben_server.ops.people import delete, export
from bigben_server.race.lobby import challenge_codes
from bigben_server.rooms.answers import challenges
from bigben_server.storage.admin.directives import Ban, DirectiveStore
from bigben_server.storage.challenges import ChallengeStore
from bigben_server.storage.client import Client, StoreLost
from bigben_server.storage.race_log import Store


class Pair(NamedTuple):
    """Ada, who is here, and Bob, who is at another process; both show challenges."""

    both: Two
    ada: Guest
    bob: Guest
    adas: Welcome
    bobs: Welcome

    async def challenge(self) -> str:
        """Let Ada challenge Bob; return the challenge's id, which he was told at once."""
        await asked(self.ada, Challenge(self.bobs.player))
        (one,) = (await self.bob.until(Challenges, lambda told: bool(told.received))).received
        return one.id

    def later(self, ms: int) -> None:
        self.both.clock.now = self.both.clock_there.now = NOON + ms


@asynccontextmanager
async def pair(client: Client) -> AsyncIterator[Pair]:
    async with two(client) as both:
        ada, bob = Guest(both.here), Guest(both.there)
        adas = await ada.ask(Hello("Ada", challenges=True), Welcome)
        bobs = await bob.ask(Hello("Bob", challenges=True), Welcome)
        yield Pair(both, ada, bob, adas, bobs)


_refs = count(1)


async def asked(guest: Guest, message: Challenge | AnswerChallenge | GetChallenges) -> Challenges:
    """The answer, which may come after what everybody was told."""
    ref = next(_refs)
    guest.say(replace(message, ref=ref))
    return await guest.until(Challenges, lambda told: told.ref == ref)


async def refusal(guest: Guest, message: Challenge | AnswerChallenge) -> tuple[str, str]:
    told = await guest.ask(message, Refused)
    return told.code, told.id


async def state(guest: Guest) -> list[str]:
    """What became of those that a player has sent."""
    return [one.state for one in (await asked(guest, GetChallenges())).sent]


async def test_a_challenge_is_told_at_once_in_every_process_and_so_is_its_answer(
    client: Client,
) -> None:
    async with pair(client) as (_, ada, bob, adas, bobs):
        sent = await asked(ada, Challenge(bobs.player, "watch"))
        (told,) = (await bob.until(Challenges)).received
        what = ("watch", "standard", NOON, NOON + DAY)
        assert told == ChallengeInfo(told.id, adas.player, "Ada", *what)
        assert sent.sent == (ChallengeInfo(told.id, bobs.player, bobs.player, *what),)
        assert not sent.received

        (mine,) = (await asked(bob, AnswerChallenge(told.id, accept=True))).received
        theirs = await ada.until(Challenges, lambda told: told.sent[0].state == "accepted")
        assert mine.race == theirs.sent[0].race


async def test_both_enter_the_room_of_a_challenge_and_nobody_else_does(client: Client) -> None:
    async with pair(client) as (both, ada, bob, adas, bobs):
        carl, _ = await arrive(both.there, "Carl")
        await asked(ada, Challenge(bobs.player, "watch"))
        (told,) = (await bob.until(Challenges)).received
        (one,) = (await asked(bob, AnswerChallenge(told.id, accept=True))).received
        room = await ada.ask(Join(one.race), Room)
        assert (room.kind, room.rules.game, room.rules.invite_only) == ("live", "watch", True)
        assert (await carl.ask(Join(one.race), Refused)).id == "race.by_invitation"
        await bob.ask(Join(one.race), Room)
        bob.say(Ready(one.race, "5e" * 32))
        ada.say(Ready(one.race, "5e" * 32))
        room = await ada.until(Room, lambda room: room.phase == "countdown")
        assert {seat.player for seat in room.seats} == {adas.player, bobs.player}
        both.clock.now = both.clock_there.now = room.starts_at
        await ada.until(Snapshot)
        await bob.until(Snapshot)


async def test_there_is_one_room_however_often_and_wherever_it_is_accepted(
    client: Client, store: Store
) -> None:
    async with pair(client) as players:
        both, _, bob, _, bobs = players
        id_ = await players.challenge()
        again, _ = await arrive(both.here, token=bobs.token)
        accept = AnswerChallenge(id_, accept=True)
        answers = await gather(*(asked(guest, accept) for guest in (bob, again)))
        race = next(challenge_codes(id_))
        received = [(one.state, one.race) for told in answers for one in told.received]
        assert received == [("accepted", race)] * 2
        assert len(await store.events(race)) == 1
        rooms = [key async for key in client.scan_iter("bb:{??????}:room")]
        assert rooms == [store.keys.room_log(race).encode()]


async def test_a_process_that_dies_while_it_accepts_leaves_the_same_room_to_the_next(
    client: Client, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with pair(client) as players:
        both, ada, bob, _, bobs = players
        id_ = await players.challenge()

        async def dies(*_: object) -> bool:
            raise StoreLost("killed")

        with monkeypatch.context() as patched:
            patched.setattr(ChallengeStore, "write", dies)
            both.there.hub.challenges.services.supervisor.revive = _at_once
            bob.say(AnswerChallenge(id_, accept=True))
            with pytest.raises(SentAway, match="1013"):
                await bob.until(Welcome)
        assert await state(ada) == ["waiting"]
        race = next(challenge_codes(id_))
        (opened,) = await store.events(race)
        again, _ = await arrive(both.here, token=bobs.token)
        (one,) = (await asked(again, AnswerChallenge(id_, accept=True))).received
        assert one.race == race
        assert await store.events(race) == [opened]


async def _at_once() -> None:
    """The store is back."""


async def test_another_room_with_its_code_is_not_the_room_of_a_challenge(client: Client) -> None:
    async with pair(client) as players:
        bob = players.bob
        id_ = await players.challenge()
        taken, free, *_ = (code for code, _ in zip(challenge_codes(id_), range(2), strict=False))
        room = await bob.ask(Create(), Room)
        await client.copy(f"bb:{{{room.race}}}:room", f"bb:{{{taken}}}:room")
        (one,) = (await asked(bob, AnswerChallenge(id_, accept=True))).received
        assert one.race == free


async def test_who_has_declined_is_not_challenged_again_for_a_day(client: Client) -> None:
    async with pair(client) as players:
        _, ada, bob, adas, bobs = players
        id_ = await players.challenge()
        for _ in range(2):  # a client may send it again
            assert not (await asked(bob, AnswerChallenge(id_, accept=False))).received
        await ada.until(Challenges, lambda told: told.sent[0].state == "declined")
        assert await refusal(ada, Challenge(bobs.player)) == ("limit", "challenge.declined")
        assert await refusal(bob, AnswerChallenge(id_, accept=True)) == ("phase", "challenge.gone")
        await asked(bob, Challenge(adas.player))  # but they may change their mind
        players.later(DAY)
        assert await state(ada) == []
        await asked(ada, Challenge(bobs.player))


async def test_a_challenge_expires_after_a_day_and_the_challenger_can_read_that(
    client: Client,
) -> None:
    async with pair(client) as players:
        _, ada, bob, _, bobs = players
        id_ = await players.challenge()
        players.later(DAY - 1)
        assert await state(ada) == ["waiting"]
        players.later(DAY)
        assert await state(ada) == ["expired"]
        assert not (await asked(bob, GetChallenges())).received
        assert await refusal(bob, AnswerChallenge(id_, accept=True)) == ("phase", "challenge.gone")
        await asked(ada, Challenge(bobs.player))
        assert await state(ada) == ["waiting"]
        assert all([await client.ttl(key) > 0 async for key in client.scan_iter("bb:challenge*")])


async def test_two_players_have_one_challenge_at_a_time(client: Client) -> None:
    async with pair(client) as players:
        _, ada, bob, adas, bobs = players
        id_ = await players.challenge()
        same = await asked(ada, Challenge(bobs.player))  # sent again by the client
        assert [one.id for one in same.sent] == [id_]
        other = Challenge(bobs.player, "watch")
        assert await refusal(ada, other) == ("conflict", "challenge.already")
        assert await refusal(bob, Challenge(adas.player)) == ("conflict", "challenge.theirs")


async def test_nobody_challenges_or_is_challenged_without_end(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(challenges, "MOST_SENT", 2)
    monkeypatch.setattr(challenges, "MOST_RECEIVED", 2)
    async with pair(client) as (both, ada, _, _, bobs):
        for player in ("discord:1", "discord:2"):
            await asked(ada, Challenge(player))
        assert await refusal(ada, Challenge("discord:3")) == ("limit", "challenge.most_sent")
        for name in ("Carl", "Dora"):
            guest, _ = await arrive(both.there, name)
            await asked(guest, Challenge(bobs.player))
        eve, _ = await arrive(both.here, "Eve")
        assert await refusal(eve, Challenge(bobs.player)) == ("limit", "challenge.most_received")
        for _ in range(6):
            eve.say(Challenge(bobs.player))
        await eve.until(Refused, lambda told: told.id == "challenge.too_often")


async def test_nobody_challenges_themselves_a_program_or_who_is_banned(
    client: Client, store: Store
) -> None:
    async with pair(client) as (both, ada, _, adas, bobs):
        await DirectiveStore(store).ban(Ban(bobs.player, NOON))
        await both.here.agent.look()
        for player in ("bot:steady", "nobody", "deleted:guest-1", bobs.player):
            assert await refusal(ada, Challenge(player)) == ("unknown", "challenge.nobody")
        assert await refusal(ada, Challenge(adas.player)) == ("conflict", "challenge.self")
        assert (await ada.ask(Challenge("discord:1", "chess"), Refused)).code == "rules"


async def test_the_challenges_of_a_guest_are_those_of_their_account(client: Client) -> None:
    async with pair(client) as players:
        both, ada, _, _, bobs = players
        await players.challenge()
        zoe = Guest(both.there)
        await zoe.ask(Hello(token=token(), challenges=True), Welcome)
        await zoe.ask(Tie(bobs.token), Tied)
        await both.there.agent.look()
        (one,) = (await asked(zoe, GetChallenges())).received
        (accepted,) = (await asked(zoe, AnswerChallenge(one.id, accept=True))).received
        await ada.until(Challenges, lambda told: told.sent[0].state == "accepted")
        await zoe.ask(Join(accepted.race), Room)
        await asked(ada, Challenge(bobs.player))
        await zoe.until(Challenges, lambda told: len(told.received) == 2)


async def test_a_name_is_the_one_that_the_player_has_by_now(client: Client, store: Store) -> None:
    async with pair(client) as players:
        both, _, bob, adas, _ = players
        await players.challenge()
        await DirectiveStore(store).name(adas.player, "Ada Lovelace")
        await both.there.agent.look()
        (one,) = (await asked(bob, GetChallenges())).received
        assert one.name == "Ada Lovelace"


async def test_a_player_who_is_deleted_leaves_no_challenge_and_takes_them_along(
    client: Client, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with pair(client) as players:
        both, ada, _, adas, bobs = players
        await players.challenge()
        carl, carls = await arrive(both.there, "Carl")
        await asked(carl, Challenge(adas.player))
        await ada.ask(Create(), Room)  # so that there is something of her besides
        monkeypatch.setattr(export, "now_ms", both.clock)
        data = await export.player_data(store, PlayerId(adas.player), SILENT, ranked="all")
        assert [one["received"] for one in data["challenges"]] == [False, True]
        assert not {bobs.player, carls.player} & {*str(data["challenges"]).split("'")}
        await delete.delete(store, PlayerId(adas.player), "1")
        assert not [key async for key in client.scan_iter("bb:challenge*")]


async def test_a_challenge_that_cannot_be_read_is_named_by_a_check(
    client: Client, store: Store
) -> None:
    async with pair(client) as players:
        await players.challenge()
        key = store.keys.challenges(players.bobs.player)
        assert not [one async for one in damaged(store, SILENT)]
        await client.hset(key, "guest:eve", "{")
        assert [one.key async for one in damaged(store, SILENT)] == [key]
