"""What an operator does with a player is known to all processes at once, and stays."""

import asyncio
from collections.abc import Sequence

import pytest
from tests.server.boards.contents import everything
from tests.server.boards.made import Season, won
from tests.server.guests import SECRET, Guest, SentAway
from tests.server.test_deleting_seats import GONE, names_nobody, seats, started, until_gone
from tests.server.test_two_processes import CLOSE, DAILY, Two, arrive, two
from tests.support.patience import PATIENCE_S

from bigben_protocol import (
    Create,
    Diff,
    Hello,
    Join,
    Leaderboard,
    Move,
    PlayerId,
    Progress,
    Ready,
    Refused,
    Reveal,
    Room,
    Snapshot,
    Watch,
)
from bigben_server.accounts.tokens import Issuers
from bigben_server.ops.long_work import SILENT
from bigben_server.ops.people.delete import delete
from bigben_server.ops.people.find import MOST_FOUND, find
from bigben_server.ops.people.rename import rename
from bigben_server.race.events import Player
from bigben_server.storage.admin.audit import Audit, AuditEntry
from bigben_server.storage.admin.directives import Ban, DirectiveStore
from bigben_server.storage.admin.maintenance import NotDone
from bigben_server.storage.admin.processes import Processes
from bigben_server.storage.client import Client
from bigben_server.storage.race_log import Store

ISSUERS = Issuers(SECRET, {})


async def refused(at: Sequence[Guest], hello: Hello) -> None:
    """These connections get no player by this Hello."""
    for guest in at:
        told = await guest.ask(hello, Refused)
        assert (told.code, "This player was deleted" in told.text) == ("token", True)
        with pytest.raises(SentAway, match="1008"):
            await guest.hears()


# Renaming


async def test_a_new_name_is_in_all_races_on_all_processes_at_once(
    client: Client, store: Store
) -> None:
    async with two(client) as both:
        ada, me = await arrive(both.here, "Ada")
        bob, _ = await arrive(both.there, "Bob")
        for guest in (ada, bob):
            await guest.ask(Join(DAILY), Room)
        race = (await ada.ask(Create(), Room)).race
        await bob.ask(Join(race), Room)
        assert sorted(await rename(store, me.player, "Zoë")) == sorted([DAILY, race])
        for guest in (ada, bob):
            room = await guest.until(
                Room, lambda room: room.race == race and room.seats[0].name != "Ada"
            )
            assert room.seats[0].name == "Zoë"
        told = await bob.until(Progress, lambda told: told.race == DAILY)
        assert [seat.name for seat in told.seats] == ["Zoë"]

        # Whatever they say later.
        again, welcome = await arrive(both.there, "Ada", me.token)
        assert (welcome.player, welcome.name) == (me.player, "Zoë")
        third = (await again.ask(Create(), Room)).race
        fourth = (await ada.ask(Create(), Room)).race
        for code in (third, fourth):
            assert (await seats(bob, code))[me.player].name == "Zoë"
        assert await rename(store, me.player, "Zoë")
        both.clock.now = both.clock_there.now = CLOSE
        await bob.until(Reveal, lambda reveal: reveal.race == DAILY)


async def test_a_race_that_runs_and_its_boards_have_the_new_name(
    client: Client, store: Store
) -> None:
    async with two(client) as both:
        ada, me = await arrive(both.here, "Ada")
        bob, _ = await arrive(both.there, "Bob")
        race = await started(both, ada, bob)
        await both.hold_back(ada, Move(race, 1, "turn"))
        await rename(store, me.player, "Zoë")
        both.store.writes.set()
        await ada.until(Diff)
        for guest in (ada, bob):
            guest.say(Move(race, 2 if guest is ada else 1, "resign"))
        await bob.until(Reveal)
        assert (await seats(bob, race))[me.player].name == "Zoë"
        (one,), _ = await find(store, "zoe\u0308", SILENT)
        assert (one.player, one.name, one.results, one.last_race) == (me.player, "Zoë", 1, race)


async def test_a_seat_that_is_being_taken_gets_the_new_name(client: Client, store: Store) -> None:
    async with two(client) as both:
        ada, me = await arrive(both.here, "Ada")
        await ada.ask(Create(), Room)
        await ada.ask(Watch(DAILY), Room)  # so that nothing but the seat is written
        await both.hold_back(ada, Join(DAILY))
        ticking = asyncio.create_task(_tick(both))  # so processes see that reports are new
        renaming = asyncio.create_task(rename(store, me.player, "Zoë"))
        await asyncio.wait([renaming], timeout=0.5)
        assert not renaming.done(), "it waits for what was decided before"
        both.store.writes.set()
        assert DAILY in await renaming
        async with asyncio.timeout(PATIENCE_S):
            while (await seats(ada, DAILY))[me.player].name != "Zoë":  # noqa: ASYNC110  # it asks
                await asyncio.sleep(0.01)
        ticking.cancel()


async def _tick(both: Two) -> None:
    while True:
        await asyncio.sleep(0.001)
        both.clock.now = both.clock_there.now = both.clock.now + 1


async def test_nobody_is_renamed_who_is_not_there(store: Store) -> None:
    with pytest.raises(NotDone, match="there is no player guest:nobody"):
        await rename(store, PlayerId("guest:nobody"), "Zoë")
    assert await everything(store) == {}


# Deleting


async def test_a_deleted_guest_is_out_at_once_and_never_back(client: Client, store: Store) -> None:
    async with two(client) as both:
        ada, me = await arrive(both.here, "Ada")
        other, _ = await arrive(both.there, token=me.token)
        bob, _ = await arrive(both.there, "Bob")
        await ada.ask(Join(DAILY), Room)
        await ada.ask(Ready(DAILY), Snapshot)
        (mark,) = ISSUERS.marks(me.player)
        await rename(store, me.player, "Zoë")
        entry = AuditEntry(1, "root@here", "ban", {"who": me.player}, "", True)
        await Audit(store).add(entry)
        await delete(store, me.player, "0123", mark, clock=both.clock)
        for guest in (ada, other):
            with pytest.raises(SentAway, match="1008 This player was deleted"):
                await guest.until(Leaderboard)
        await until_gone(bob, DAILY, me.player)
        assert not (await DirectiveStore(store).read(0)).names
        await refused([Guest(both.here), Guest(both.there)], Hello(token=me.token))
        both.clock.now += 3_600_000
        await refused(
            [Guest(both.here)],
            Hello(token=ISSUERS.mint("guest", Player(me.player, "A"), both.clock.now)),
        )
        await names_nobody(store, me.player, "Ada", "Zoë")
        assert (await Audit(store).entries())[0].arguments == {"who": GONE}


async def test_a_player_of_another_issuer_returns_as_a_new_one_and_not_to_the_same_race(
    client: Client, store: Store
) -> None:
    async with two(client) as both:
        who = Player(PlayerId("discord:8035"), "Ada")
        before = ISSUERS.mint("link", who, both.clock.now)
        ada, me = await arrive(both.here, token=before)
        await ada.ask(Join(DAILY), Room)
        await ada.ask(Ready(DAILY), Snapshot)
        race = (await ada.ask(Create(), Room)).race
        (mark,) = ISSUERS.marks(me.player)
        await delete(store, me.player, "0123", mark, clock=both.clock)
        await refused([Guest(both.here), Guest(both.there)], Hello(token=before))
        both.clock.now += 2_000
        after = ISSUERS.mint("link", who, both.clock.now)
        for at in (both.here, both.there):
            ada, me = await arrive(at, token=after)
            assert "before you were deleted" in (await ada.ask(Join(DAILY), Refused)).text
            other = (await ada.ask(Create(), Room)).race
            assert me.player in await seats(ada, other)
        assert (await ada.ask(Watch(race), Room)).phase == "cancelled"


async def test_a_ban_ends_with_the_player(client: Client, store: Store) -> None:
    async with two(client) as both:
        ada, me = await arrive(both.here, "Ada")
        await ada.ask(Join(DAILY), Room)
        await DirectiveStore(store).ban(Ban(me.player, 1, 0, "rude"))
        await delete(store, me.player, "0123", *ISSUERS.marks(me.player), clock=both.clock)
        assert not (await DirectiveStore(store).read(0)).players
        await names_nobody(store, me.player, "Ada", "rude")


async def test_while_it_is_under_way_no_token_is_taken(client: Client, store: Store) -> None:
    async with two(client) as both:
        who = Player(PlayerId("discord:8035"), "Ada")
        (mark,) = ISSUERS.marks(who.id)
        await DirectiveStore(store).keep_out(mark, 0)
        both.clock.now += 3_600_000
        token = ISSUERS.mint("link", who, both.clock.now)
        await Processes(store).asked()
        await refused([Guest(both.here), Guest(both.there)], Hello(token=token))


# Finding


async def test_players_are_found_by_a_part_of_their_name_in_any_case(store: Store) -> None:
    season = Season(store)
    await season.day("2026-11-20", {"zoë": won(61_000), "bob": won(62_000), "bot:zoe": won(1)})
    await season.day("2026-11-21", {"zoë": won(61_000)})
    await DirectiveStore(store).ban(Ban("guest:zoë", 1, 0, "rude"))
    found, more = await find(store, "ZOE\u0308", SILENT)
    assert not more
    ((player, name, results, race, at, seated, bot, banned, *_),) = found
    assert (player, name, results, race) == ("guest:zoë", "Zoë", 2, DAILY)
    assert (at, seated, bot, banned) == (61_000, [], False, True)
    (one,), _ = await find(store, "bot:zoe", SILENT)
    assert one.bot
    assert await find(store, "nobody", SILENT) == ([], False)


async def test_who_has_no_result_yet_is_found_by_the_seat(client: Client, store: Store) -> None:
    async with two(client) as both:
        ada, me = await arrive(both.here, "Ada")
        race = (await ada.ask(Create(), Room)).race
        ((player, name, results, last, at, seated, *_),), _ = await find(store, "aDa", SILENT)
        assert (player, name, results, last, at, seated) == (me.player, "Ada", 0, None, 0, [race])
        (again,), _ = await find(store, me.player, SILENT)
        assert again.open_races == [race]


async def test_of_very_many_fifty_are_named(store: Store) -> None:
    await Season(store).day("2026-11-20", {f"ada{n:03}": won(61_000 + n) for n in range(120)})
    found, more = await find(store, "ADA", SILENT)
    assert (len(found), more) == (MOST_FOUND, True)
    (one,), more = await find(store, "guest:ada007", SILENT)
    assert (one.name, more) == ("Ada007", False)
