"""What the bot hears of a real homeserver, and does there: each once, whatever breaks between."""

import asyncio
import itertools
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest
from aiohttp import web
from tests.matrix.people import HomeserverError, People, Person
from tests.matrix.proxy import (
    Fault,
    Forward,
    Proxy,
    answered,
    cut_after,
    cut_before,
    limited,
)
from tests.matrix.silent import SilentBot
from tests.matrix.synapse import Synapse

from bigben_chat import retries
from bigben_chat.happenings import (
    Encrypted,
    Happening,
    Joined,
    Removed,
    Replaced,
    Said,
    Upgraded,
)
from bigben_chat.platform import Away, Gone, NotAllowed
from bigben_chat.store import Store
from bigben_matrix import homeserver as ours
from bigben_matrix.homeserver import BadToken, Homeserver
from bigben_matrix.inbox import Position

Found = TypeVar("Found")
NOTICE = {"msgtype": "m.notice", "body": "your cards"}


class Bot(SilentBot):
    """With what its tests wait for."""

    async def hears(self, what: Happening | str) -> None:
        """Wait until this has happened, or this was said."""

        def heard() -> bool:
            return what in self.said or what in self.happened

        await self.changes.until(heard, f"the bot hears {what}, not {self.happened}")

    @property
    def said(self) -> list[object]:
        """What people said, and the bot heard."""
        return [one.text for one in self.happened if isinstance(one, Said)]


@pytest.fixture
async def make(
    homeserver: Synapse, proxy: Proxy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[], Bot]:
    """Makes bots of one account, each as it is started again."""
    monkeypatch.setattr(retries, "FIRST_PAUSE_S", 0.01)
    account = await homeserver.account("Bot")
    return lambda: Bot(account, proxy.url, tmp_path)


async def test_nothing_is_obeyed_that_was_said_before_the_bot_was_there(
    make: Callable[[], Bot], people: People
) -> None:
    ada = await people.person("Ada")
    bot = make()
    public = await ada.room("Friends", bot.account.user, preset="public_chat")
    await ada.says(public, "before the first start")
    async with bot:
        await bot.hears(Joined(public))
        await ada.says(public, "after it")
        await bot.hears("after it")
        other = await ada.room("Others", preset="public_chat")
        await ada.says(other, "before it joined")
        await ada.invites(other, bot.account.user)
        await bot.hears(Joined(other))
        await ada.says(other, "since then")
        await bot.hears("since then")
    assert bot.said == ["after it", "since then"]


async def test_what_was_said_while_the_bot_was_away_is_heard_in_its_order_and_once(
    make: Callable[[], Bot], people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ours, "PAGE", 4)
    ada = await people.person("Ada")
    async with make() as bot:
        room = await ada.room("Friends", bot.account.user)
        await bot.hears(Joined(room))
        await ada.says(room, "ready?")
        await bot.hears("ready?")
    for number in range(14):
        await ada.says(room, f"{number}")
        if number == 6:  # which looks like a join, and is none
            new = {"displayname": "Big Ben himself"}
            itself = people.of(bot.account)
            await itself.request("PUT", f"profile/{bot.account.user}/displayname", new)
    async with make() as later:
        await later.hears("13")
        await ada.says(room, "go")
        await later.hears("go")
    assert later.said == [*map(str, range(14)), "go"]
    assert {one.name for one in later.happened if isinstance(one, Said)} == {"Ada"}


async def test_of_a_very_long_absence_only_the_last_is_heard(
    make: Callable[[], Bot], people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ours, "PAGE", 2)
    monkeypatch.setattr(ours, "MOST_PAGES", 2)
    ada = await people.person("Ada")
    async with make() as bot:
        room = await ada.room("Friends", bot.account.user)
        await bot.hears(Joined(room))
    for number in range(9):
        await ada.says(room, f"{number}")
    async with make() as later:
        await later.hears("8")
    assert later.said == ["3", "4", "5", "6", "7", "8"]


async def test_what_was_missed_in_one_room_is_read_beside_that_of_others(
    make: Callable[[], Bot], people: People, proxy: Proxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ours, "PAGE", 2)
    ada = await people.person("Ada")
    async with make() as bot:
        rooms = [await ada.room(name, bot.account.user) for name in ("One", "Two", "Three")]
        for room in rooms:
            await bot.hears(Joined(room))
    for room, said in itertools.product(rooms, ("ready", "steady", "go")):
        await ada.says(room, f"{said} {room}")
    all_ask, asking = asyncio.Event(), 0

    async def together(_: web.Request, forward: Forward) -> web.Response:
        nonlocal asking
        asking += 1
        if asking == len(rooms):
            all_ask.set()
        await all_ask.wait()
        return await forward()

    with proxy.always("messages", together):
        async with make() as later:
            for room in rooms:
                await later.hears(f"go {room}")
    assert len(later.said) == 9


def without_a_time(header: str) -> Fault:
    """A 429 that says in its header how long to wait, or not at all."""

    async def answer(_: web.Request, __: Forward) -> web.Response:
        headers = {"Retry-After": header} if header else {}
        return web.json_response({"errcode": "M_LIMIT_EXCEEDED"}, status=429, headers=headers)

    return answer


async def test_an_event_is_sent_once_whatever_fails(
    make: Callable[[], Bot], people: People, proxy: Proxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retries, "USUAL_LIMIT_S", 0.02)
    pages = [answered(status) for status in (200, 404, 502)]
    limits = (limited(20), without_a_time("0"), without_a_time(""))
    faults = (cut_before, cut_after, *pages, *limits)
    ada = await people.person("Ada")
    async with make() as bot:
        room = await ada.room("Friends", bot.account.user)
        await bot.hears(Joined(room))
        sent = []
        for number, fault in enumerate(faults):
            proxy.next("message", fault, 2)
            for _ in range(2):
                sent.append(await bot.homeserver.send(room, "m.room.message", NOTICE, f"{number}"))
            assert proxy.sends[f"{number}"] == 4, "two that failed, two that did not"
        assert bot.homeserver.figures.limited == 6
        history = [one for one in await ada.history(room) if one["type"] == "m.room.message"]
        assert [one["event_id"] for one in history] == sent[::2] == sent[1::2]
        assert not proxy.doubles()


async def test_limited_sends_line_up(make: Callable[[], Bot], people: People, proxy: Proxy) -> None:
    ada = await people.person("Ada")
    async with make() as bot:
        room = await ada.room("Friends", bot.account.user)
        await bot.hears(Joined(room))
        proxy.next("message", limited(86_400_000))
        with pytest.raises(Away):
            await bot.homeserver.send(room, "m.room.message", NOTICE, "tomorrow")
        proxy.next("message", limited(50), 10)
        sends = [
            bot.homeserver.send(room, "m.room.message", NOTICE, f"{number}") for number in range(10)
        ]
        events = await asyncio.gather(*sends)
        # The first retry is through when the others begin theirs.
        assert proxy.requests["message"] == 21
    assert len(set(events)) == 10
    assert not proxy.doubles()


async def test_nobody_waits_for_an_invitation_that_is_limited(
    make: Callable[[], Bot], people: People, proxy: Proxy
) -> None:
    ada, ben = [await people.person(name) for name in ("Ada", "Ben")]
    async with make() as bot:
        room = await ada.room("Friends", bot.account.user)
        await bot.hears(Joined(room))
        proxy.next("invite", limited(300_000))
        inviting = asyncio.create_task(bot.homeserver.invite(room, ben.user))
        await proxy.asked("invite", 1)
        proxy.next("message", limited(20))
        await bot.homeserver.send(room, "m.room.message", NOTICE, "meanwhile")
        assert not inviting.done()
        inviting.cancel()


@pytest.mark.parametrize("status", [400, 500])
async def test_a_room_whose_history_is_refused_takes_nothing_from_the_others(
    make: Callable[[], Bot],
    people: People,
    proxy: Proxy,
    monkeypatch: pytest.MonkeyPatch,
    status: int,
) -> None:
    monkeypatch.setattr(ours, "PAGE", 2)
    monkeypatch.setattr(retries, "PATIENCE_S", 0.1)
    ada = await people.person("Ada")
    async with make() as bot:
        rooms = [await ada.room(name, bot.account.user) for name in ("Friends", "Others")]
        for room in rooms:
            await bot.hears(Joined(room))
    for number in range(4):
        await ada.says(rooms[0], f"{number}")
    await ada.says(rooms[1], "ready?")

    async def refused(_: web.Request, __: Forward) -> web.Response:
        return web.json_response({"errcode": "M_UNKNOWN"}, status=status)

    with proxy.always("messages", refused):
        async with make() as later:
            await later.hears("ready?")
            await later.hears("3")


async def test_a_homeserver_that_stays_away_is_given_up_by_a_request_and_not_by_the_bot(
    make: Callable[[], Bot], people: People, proxy: Proxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retries, "PATIENCE_S", 0.1)
    ada = await people.person("Ada")
    async with make() as bot:
        room = await ada.room("Friends", bot.account.user)
        await bot.hears(Joined(room))
        async with proxy.away():
            with pytest.raises(Away):
                await bot.homeserver.send(room, "m.room.message", NOTICE, "later")
            await ada.says(room, "are you there?")
        await bot.hears("are you there?")
        await bot.homeserver.send(room, "m.room.message", NOTICE, "later")
        await ada.sees(room, "your cards")
    assert bot.said == ["are you there?"]


async def test_the_bot_waits_for_its_homeserver_and_knows_a_wrong_token(
    make: Callable[[], Bot], proxy: Proxy
) -> None:
    bot = make()
    proxy.next("whoami", answered(502), 3)
    async with bot:
        assert bot.homeserver.user == bot.account.user
    stranger = Homeserver(proxy.url, "syt_nobody")
    try:
        with pytest.raises(BadToken, match="M_UNKNOWN_TOKEN"):
            await stranger.login()
    finally:
        await stranger.close()


async def test_a_homeserver_may_forget_where_the_bot_was_and_end_its_token(
    make: Callable[[], Bot], people: People
) -> None:
    ada = await people.person("Ada")
    bot = make()
    store = Store(bot.folder / "bot.sqlite")
    store.put("sync", "", Position("a position of another homeserver"))
    store.close()
    async with bot:
        room = await ada.room("Friends", bot.account.user)
        await bot.hears(Joined(room))
        await ada.says(room, "still there?")
        await bot.hears("still there?")
        await people.of(bot.account).request("POST", "logout", {})
        with pytest.raises(ExceptionGroup) as ended:
            await bot.following
        assert ended.group_contains(BadToken)


async def test_a_kicked_bot_knows_it_even_if_it_was_away(
    make: Callable[[], Bot], people: People
) -> None:
    ada = await people.person("Ada")
    async with make() as bot:
        rooms = [await ada.room(name, bot.account.user) for name in ("One", "Two")]
        for room in rooms:
            await bot.hears(Joined(room))
        await ada.kicks(rooms[0], bot.account.user)
        await bot.hears(Removed(rooms[0]))
        with pytest.raises(Gone):
            await bot.homeserver.send(rooms[0], "m.room.message", NOTICE, "gone")
        group = bot.rooms.record(rooms[1]).group
        assert bot.rooms.of_group(group) == [rooms[1]]
    await ada.bans(rooms[1], bot.account.user)
    async with make() as later:
        await later.hears(Removed(rooms[1]))
        assert not later.rooms.of_group(group)
        await ada.invites(rooms[0], bot.account.user)
        await later.hears(Joined(rooms[0]))


async def test_a_group_moves_with_its_room_and_nobody_can_take_another_one(
    make: Callable[[], Bot], people: People
) -> None:
    ada, eve = [await people.person(name) for name in ("Ada", "Eve")]
    async with make() as bot:
        room = await ada.room("Friends", bot.account.user, preset="public_chat", room_version="10")
        await bot.hears(Joined(room))
        group = bot.rooms.record(room).group
        # Eve's room says that it replaces Ada's, which knows nothing of it.
        claim = {"predecessor": {"room_id": room, "event_id": "$last"}}
        evil = await eve.room("Theirs", bot.account.user, creation_content=claim)
        await bot.hears(Joined(evil))
        assert bot.rooms.record(evil).group != group
        new = await ada.upgrades(room)
        await bot.hears(Upgraded(room, new))
        assert bot.rooms.record(new).group == group
        assert Joined(new) not in bot.happened
        assert bot.rooms.user(new, ada.user, "Ada").manages
        assert not bot.rooms.user(new, eve.user, "Eve").manages


async def test_a_private_room_is_replaced_when_the_bot_is_invited_to_the_new_one(
    make: Callable[[], Bot], people: People
) -> None:
    ada = await people.person("Ada")
    async with make() as bot:
        room = await ada.room("Friends", bot.account.user, room_version="10")
        await bot.hears(Joined(room))
        new = await ada.upgrades(room)
        await ada.invites(new, bot.account.user)
        await bot.hears(Upgraded(room, new))
        assert bot.rooms.group_name(bot.rooms.record(room).group) == "Friends"


async def test_of_an_encrypted_room_the_bot_hears_once(
    make: Callable[[], Bot], people: People
) -> None:
    ada = await people.person("Ada")
    async with make() as bot:
        room = await ada.room("Friends", bot.account.user)
        await bot.hears(Joined(room))
        await ada.sets(room, "m.room.encryption", {"algorithm": "m.megolm.v1.aes-sha2"})
        await bot.hears(Encrypted(room))
        await ada.sends(room, "m.room.encrypted", {"ciphertext": "…"})
        await ada.says(room, "and in the open")
        await bot.hears("and in the open")
    async with make() as later:
        await ada.says(room, "once more")
        await later.hears("once more")
    assert [*bot.happened, *later.happened].count(Encrypted(room)) == 1


async def test_a_direct_room_is_of_two_and_shows_what_came_before_its_user_did(
    make: Callable[[], Bot], people: People
) -> None:
    ada, eve = [await people.person(name) for name in ("Ada", "Eve")]
    async with make() as bot:
        room = await bot.rooms.direct(ada.user)
        await bot.homeserver.send(room, "m.room.message", NOTICE, "first")
        assert await ada.direct(bot.account.user) == room
        await ada.sees(room, "your cards")
        with pytest.raises(HomeserverError, match="M_FORBIDDEN"):
            await ada.invites(room, eve.user)
        with pytest.raises(HomeserverError, match="M_FORBIDDEN"):
            await ada.sets(room, "m.room.encryption", {"algorithm": "m.megolm.v1.aes-sha2"})
        with pytest.raises(HomeserverError, match="M_FORBIDDEN"):
            await eve.joins(room)
        assert await bot.rooms.direct(ada.user) == room
        assert bot.rooms.user(room, ada.user, "Ada").group == 0
    async with make() as later:
        assert await later.rooms.direct(ada.user) == room
        assert later.rooms.direct_user(room) == ada.user


CHANGES = ("a third", "encrypted")


async def test_a_direct_room_that_is_none_any_more_is_replaced(
    make: Callable[[], Bot], people: People
) -> None:
    ada, eve = [await people.person(name) for name in ("Ada", "Eve")]
    async with make() as bot:
        itself = people.of(bot.account)
        new = await bot.rooms.direct(ada.user)
        for change in CHANGES:
            room = new
            await alter(change, room, ada, eve, itself)
            # What the bot hears next, it hears after that.
            await bot.hears(Joined(await eve.room("Elsewhere", bot.account.user)))
            new = await bot.rooms.direct(ada.user)
            assert new != room, change
            assert room not in (await itself.request("GET", "joined_rooms"))["joined_rooms"]


async def test_a_direct_room_is_replaced_that_was_altered_while_the_bot_was_away(
    make: Callable[[], Bot], people: People
) -> None:
    ada, eve = [await people.person(name) for name in ("Ada", "Eve")]
    async with make() as bot:
        room = await bot.rooms.direct(ada.user)
    for change in CHANGES:
        await alter(change, room, ada, eve, people.of(bot.account))
        async with make() as later:
            before, room = room, await later.rooms.direct(ada.user)
            assert room != before, change


async def alter(change: str, room: str, ada: Person, eve: Person, itself: Person) -> None:
    """What only the bot's own account could do to their room."""
    await ada.joins(room)
    if change == "a third":
        await itself.invites(room, eve.user)
    else:
        await itself.sets(room, "m.room.encryption", {"algorithm": "m.megolm.v1.aes-sha2"})


async def test_who_has_left_the_direct_room_or_declined_it_is_invited_again(
    make: Callable[[], Bot], people: People
) -> None:
    ada, eve = [await people.person(name) for name in ("Ada", "Eve")]
    async with make() as bot:
        room = await bot.rooms.direct(ada.user)
        for joins in (False, True):
            if joins:
                await ada.joins(room)
            await ada.leaves(room)
            # What the bot hears next, it hears after that.
            await bot.hears(Joined(await eve.room("Elsewhere", bot.account.user)))
            assert not await bot.rooms.is_private(room, ada.user)
            assert await bot.rooms.direct(ada.user) == room
            assert await bot.rooms.is_private(room, ada.user)
        await bot.homeserver.send(room, "m.room.message", NOTICE, "again")
        assert await ada.direct(bot.account.user) == room
        await ada.sees(room, "your cards")


async def test_who_lets_nobody_invite_them_makes_the_bot_open_no_second_room(
    make: Callable[[], Bot], people: People, proxy: Proxy
) -> None:
    ada, eve = [await people.person(name) for name in ("Ada", "Eve")]
    blocks = {"default_action": "block"}
    await ada.request("PUT", f"user/{ada.user}/account_data/m.invite_permission_config", blocks)
    async with make() as bot:
        for _ in range(3):
            with pytest.raises(NotAllowed):
                await bot.rooms.direct(ada.user)
            await bot.hears(Joined(await eve.room("Elsewhere", bot.account.user)))
        assert proxy.requests["direct"] == 1


@pytest.mark.parametrize("fault", [cut_before, cut_after, answered(502)])
async def test_only_one_direct_room_is_opened_whatever_fails(
    make: Callable[[], Bot], people: People, proxy: Proxy, fault: Fault
) -> None:
    ada = await people.person("Ada")
    async with make() as bot:
        proxy.next("direct", fault)
        found = await asyncio.gather(*(bot.rooms.direct(ada.user) for _ in range(3)))
        assert len(set(found)) == 1
        await ada.looks()
        assert [room for room in ada.rooms if ada.rooms[room].invited] == found[:1]


async def test_the_bot_enters_no_more_rooms_than_it_can_follow(
    make: Callable[[], Bot], people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bigben_matrix.rooms.MOST_ROOMS", 1)
    ada = await people.person("Ada")
    async with make() as bot:
        await bot.rooms.direct(ada.user)  # which does not count
        room = await ada.room("Friends", bot.account.user)
        await bot.hears(Joined(room))
        other = await ada.room("Others", bot.account.user)
        await ada.sees_member(other, bot.account.user, "leave")
        public = await ada.room("Public", preset="public_chat")
        await bot.rooms.enter(Replaced(room, public, ada.user))
        with pytest.raises(Gone):
            await bot.homeserver.members(public)


async def test_who_invites_the_bot_often_takes_no_place_from_others(
    make: Callable[[], Bot], people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bigben_matrix.rooms.MOST_BY_ONE", 1)
    ada, bob = await people.person("Ada"), await people.person("Bob")
    async with make() as bot:
        await bot.hears(Joined(await ada.room("Friends", bot.account.user)))
        other = await ada.room("Others", bot.account.user)
        await ada.sees_member(other, bot.account.user, "leave")
        await bot.hears(Joined(await bob.room("Club", bot.account.user)))


@pytest.mark.parametrize("limit", ["MOST_ROOMS", "MOST_BY_ONE"])
async def test_of_many_invitations_at_once_the_bot_accepts_no_more_either(
    make: Callable[[], Bot], people: People, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    monkeypatch.setattr(f"bigben_matrix.rooms.{limit}", 1)
    ada = await people.person("Ada")
    bot = make()
    rooms = [await ada.room(f"Room {number}", bot.account.user) for number in range(3)]

    def here() -> list[Joined]:
        return [one for one in bot.happened if isinstance(one, Joined)]

    async with bot:
        await bot.changes.until(here, "the bot comes into one of them")
        for room in {*rooms} - {here()[0].room}:
            await ada.sees_member(room, bot.account.user, "leave")
        assert len(here()) == 1


async def test_the_bot_may_not_write_where_only_moderators_may(
    make: Callable[[], Bot], people: People
) -> None:
    ada = await people.person("Ada")
    async with make() as bot:
        levels = {"events_default": 50}
        room = await ada.room("News", bot.account.user, power_level_content_override=levels)
        await bot.hears(Joined(room))
        with pytest.raises(NotAllowed):
            await bot.homeserver.send(room, "m.room.message", NOTICE, "no")
