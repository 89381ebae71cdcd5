"""The people of the Matrix tests see what a client shows: tried among themselves."""

import pytest
from tests.matrix.people import HomeserverError, People
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
