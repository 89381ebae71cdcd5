"""The people of the Matrix tests see what a client shows: tried among themselves."""

import asyncio

import aiohttp
import pytest
from tests.matrix.people import HomeserverError, People
from tests.matrix.proxy import answered, cut_after, cut_before, held, limited, proxied
from tests.matrix.synapse import Synapse


async def test_people_see_the_latest_edit_and_the_reactions(people: People) -> None:
    ada, ben = [await people.person(name) for name in ("Ada", "Ben")]
    room = await ada.room("Friends", ben)
    said = await ada.says(room, "fist")
    seen = await ben.sees(room, "fist")
    new = {"msgtype": "m.text", "body": "first"}
    relation = {"rel_type": "m.replace", "event_id": said}
    await ada.says(room, "* first", **{"m.new_content": new, "m.relates_to": relation})
    await ben.reacts(seen, "✅")
    edited = await ada.sees(room, lambda one: one.edits and one.by(ben.user) == {"✅"})
    assert (edited.id, edited.text, edited.sender, edited.edits) == (said, "first", ada.user, 1)
    await ben.unreacts(seen, "✅")
    await ada.sees(room, lambda one: one.text == "first" and not one.reactions)
    kinds = [event["type"] for event in await ben.history(room)]
    assert kinds[-4:] == ["m.room.message", "m.room.message", "m.reaction", "m.room.redaction"]
    await ada.redacts(room, said)
    assert (await ben.sees(room, lambda one: one.redacted)).text == ""


async def test_people_are_kicked_and_invited_and_rooms_upgraded(people: People) -> None:
    ada, ben = [await people.person(name) for name in ("Ada", "Ben")]
    room = await ada.room("Friends", ben)
    await ada.kicks(room, ben.user)
    with pytest.raises(HomeserverError, match="M_FORBIDDEN"):
        await ben.says(room, "I am still here")
    await ada.invites(room, ben.user)
    assert await ben.direct(ada.user) == room
    after = await ada.upgrades(room)
    await ben.looks()
    assert ben.rooms[room].replaced_by == after


async def test_a_restarted_homeserver_has_the_same_address_and_rooms(
    people: People, homeserver: Synapse
) -> None:
    ada, ben = [await people.person(name) for name in ("Ada", "Ben")]
    room = await ada.room("Friends", ben)
    await ada.says(room, "before")
    await homeserver.restart()
    await ada.says(room, "after")
    await ben.sees(room, "before")
    await ben.sees(room, "after")


async def test_the_proxy_breaks_what_it_is_told_to_and_counts(
    people: People, homeserver: Synapse
) -> None:
    ada = await people.person("Ada")
    room = await ada.room("Friends")
    path = f"/_matrix/client/v3/rooms/{room}/send/m.room.message/one"
    message = {"msgtype": "m.text", "body": "once"}
    async with proxied(homeserver.url) as proxy, aiohttp.ClientSession() as session:

        async def send() -> int:
            async with session.put(proxy.url + path, json=message, headers=ada.headers) as answer:
                return answer.status

        proxy.next("message", cut_before)
        proxy.next("message", cut_after)
        with pytest.raises(aiohttp.ClientError):
            await send()  # twice: aiohttp tries again
        proxy.next("message", answered(502))
        proxy.next("message", limited(10))
        assert [await send(), await send(), await send()] == [502, 429, 200]
        async with proxy.away():
            with pytest.raises(aiohttp.ClientConnectorError):
                await send()
        told = asyncio.Event()
        proxy.next("message", held(told))
        last = asyncio.create_task(send())
        await proxy.asked("message", 6)
        told.set()
        assert await last == 200
        assert proxy.sends == {"one": 6}
        assert proxy.doubles() == {}
    texts = [event["content"].get("body") for event in await ada.history(room)]
    assert texts.count("once") == 1
