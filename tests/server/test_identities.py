"""Who somebody is on all their devices: a guest is tied to an account, a player logs out."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from hmac import digest
from typing import Any

import jwt
import pytest
from tests.server.boards.contents import everything
from tests.server.guests import SECRET, Guest, SentAway
from tests.server.test_two_processes import DAILY, Two, arrive, two
from tests.support.times import NOON

from bigben_protocol import (
    Create,
    Diff,
    GetLeaderboard,
    GetLink,
    GetProfile,
    GetRaces,
    Hello,
    Join,
    Leaderboard,
    Leave,
    Left,
    Link,
    LoggedOut,
    LogOut,
    Move,
    PlayerId,
    Profile,
    Races,
    Ready,
    Refused,
    Room,
    Snapshot,
    Tie,
    Tied,
    Welcome,
)
from bigben_server.accounts.tokens import LINK, Issuers
from bigben_server.ops.long_work import SILENT
from bigben_server.ops.people.find import find
from bigben_server.race.events import Player
from bigben_server.storage.admin.audit import Audit
from bigben_server.storage.client import Client
from bigben_server.storage.race_log import Store

ZOE = Player(PlayerId("discord:8035"), "Zoë")
BELL = Player(PlayerId("discord:1"), "Bell")
ISSUERS = Issuers(SECRET, {})


def signed(claims: dict[str, object]) -> str:
    """A token whose time is in seconds, as those of other issuers."""
    return jwt.encode(claims, digest(SECRET, b"link tokens", "sha256"), algorithm="HS256")


def token(player: Player = ZOE, at: int = NOON) -> str:
    """As this server gives it to a player who came by a link."""
    return ISSUERS.mint(LINK, player, at)


@asynccontextmanager
async def ada_and_zoe(client: Client) -> AsyncIterator[tuple[Two, Guest, Welcome, Guest]]:
    """A guest and a player, on two processes."""
    async with two(client) as both:
        ada, me = await arrive(both.here, "Ada")
        zoe, _ = await arrive(both.there, token=token())
        yield both, ada, me, zoe


async def play(guest: Guest) -> None:
    """Give up in today's daily."""
    guest.say(Join(DAILY), Ready(DAILY))
    await guest.until(Snapshot)
    await guest.ask(Move(DAILY, 1, "resign"), Diff)


async def of_race(store: Store) -> dict[str, Any]:
    """All that is stored of the daily itself."""
    return {key: all_ for key, all_ in (await everything(store)).items() if f"{{{DAILY}}}:" in key}


async def refusal(guest: Guest, message: Tie | Join | Hello) -> str:
    """The code and the sentence."""
    told = await guest.ask(message, Refused)
    return f"{told.code}: {told.text}"


# Tying


async def test_a_guest_who_is_tied_counts_as_the_player_and_is_nobody_else_any_more(
    client: Client, store: Store
) -> None:
    async with ada_and_zoe(client) as (both, ada, me, zoe):
        await play(ada)
        link = await ada.ask(GetLink(), Link)
        await ada.ask(GetLeaderboard(), Leaderboard)  # which waits for the result
        race = await of_race(store)
        assert await zoe.ask(Tie(me.token, 7), Tied) == Tied(me.player, 7)
        with pytest.raises(SentAway, match="This guest is now Zoë"):
            await ada.until(Welcome)
        for gone in (me.token, link.token):
            back = Guest(both.here)
            said = await refusal(back, Hello(token=gone))
            assert said == "token: This guest is now Zoë; sign in as Zoë."

        board = await zoe.ask(GetLeaderboard(), Leaderboard)
        assert [(row.player, row.name, row.place) for row in board.rows] == [(ZOE.id, "Zoë", 1)]
        assert board.mine == board.rows[0]
        for player in ("", me.player):
            profile = await zoe.ask(GetProfile(player), Profile)
            assert (profile.player, profile.name) == (ZOE.id, "Zoë")
            assert profile.tallies[0].played == 1
            assert profile.tallies[0].days_played.now == 1
        # The game itself is still Ada's.
        assert await of_race(store) == race
        assert [race.race for race in (await zoe.ask(GetRaces(), Races)).races] == [DAILY]
        said = await refusal(zoe, Join(DAILY))
        assert said.startswith("seat: You have played this race already, as the guest Ada;")

        before = await everything(store)
        assert await zoe.ask(Tie(me.token), Tied) == Tied(me.player)
        assert {**await everything(store), "bb:orders": 0} == {**before, "bb:orders": 0}

    (entry,) = await Audit(store).entries()
    assert (entry.command, entry.by) == ("tie", ZOE.id)
    assert entry.arguments == {"guest": me.player, "account": ZOE.id}
    (found,), _ = await find(store, "zoë", SILENT)
    assert (found.guests, found.results, found.last_race) == ((me.player,), 1, DAILY)


async def test_a_token_of_no_guest_or_of_somebody_elses_ties_nobody(client: Client) -> None:
    async with ada_and_zoe(client) as (both, ada, me, zoe):
        bell, _ = await arrive(both.here, token=token(BELL))
        assert "This is not the token of a guest" in await refusal(zoe, Tie(token(BELL)))
        once = (await zoe.ask(GetLink(), Link)).token
        assert "This link is your own" in await refusal(zoe, Tie(once))
        assert "not valid here" in await refusal(zoe, Tie("x"))
        assert "Sign in first" in await refusal(ada, Tie(me.token))
        await zoe.ask(Tie(me.token), Tied)
        assert "This guest is now Zoë" in await refusal(bell, Tie(me.token))


async def test_who_both_have_a_seat_in_a_race_can_not_be_tied(client: Client) -> None:
    async with ada_and_zoe(client) as (both, ada, me, zoe):
        await play(ada)
        await zoe.ask(Join(DAILY), Room)  # and sees no card
        third, again = await arrive(both.here, "Carl")
        await play(third)
        await zoe.ask(Tie(me.token), Tied)
        said = await refusal(zoe, Tie(again.token))
        assert said.startswith(f"seat: You have a seat in the race {DAILY}, and so has Carl;")
        zoe.say(Ready(DAILY))
        assert "as the guest Ada" in (await zoe.until(Refused)).text


async def test_a_guest_who_still_plays_is_tied_only_afterwards(client: Client) -> None:
    async with ada_and_zoe(client) as (_, ada, me, zoe):
        race = (await ada.ask(Create(), Room)).race
        said = await refusal(zoe, Tie(me.token))
        assert said.startswith(f"phase: Ada has a seat in the race {race}, which is not")
        await ada.ask(Leave(race), Left)
        ada.say(Join(DAILY), Ready(DAILY))
        await ada.until(Snapshot)
        assert (await refusal(zoe, Tie(me.token))).startswith("phase: Ada has a seat")
        await ada.ask(Move(DAILY, 1, "resign"), Diff)
        await zoe.ask(Tie(me.token), Tied)


# Logging out


async def test_who_logs_out_everywhere_needs_a_new_token_everywhere(client: Client) -> None:
    async with two(client) as both:
        here, _ = await arrive(both.here, token=token())
        there, _ = await arrive(both.there, token=token())
        link = (await here.ask(GetLink(), Link)).token
        assert await here.ask(LogOut(3), LoggedOut) == LoggedOut(3)
        with pytest.raises(SentAway, match="logged out everywhere"):
            await there.until(Welcome)
        for app, old in ((both.here, token()), (both.there, token()), (both.there, link)):
            assert "logged out everywhere" in await refusal(Guest(app), Hello(token=old))
        both.clock.now = both.clock_there.now = NOON + 2
        link = (await here.ask(GetLink(), Link)).token
        await arrive(both.there, token=link)
        await arrive(both.there, token=token(at=NOON + 1))


async def test_a_front_ends_token_of_the_same_second_holds_after_logging_out(
    client: Client,
) -> None:
    """It says its time in seconds: it may be from after."""
    claims = {"iss": LINK, "sub": ZOE.id, "name": "Zoë", "exp": NOON // 1000 + 600}
    before, same = (signed({**claims, "iat": NOON // 1000 - late}) for late in (1, 0))
    async with two(client, NOON + 400) as both:
        zoe, _ = await arrive(both.here, token=token(at=NOON + 400))
        await zoe.ask(LogOut(), LoggedOut)
        assert "logged out everywhere" in await refusal(Guest(both.there), Hello(token=before))
        await arrive(both.there, token=same)
