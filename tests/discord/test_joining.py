"""Races that were opened elsewhere: joined by their code or link, left again, played again."""

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.discord.playing import gives_up, sees_cards, starts_alone
from tests.discord.running import bot_on
from tests.discord.standin.people import Channel
from tests.discord.standin.server import Discord
from tests.support.server_process import ServerProcess

from bigben_chat.actions.joining import code_in
from bigben_client import Client
from bigben_discord.bot import BigBen


@pytest.fixture
async def guest(server: ServerProcess) -> AsyncIterator[Client]:
    """Somebody on the page."""
    async with Client(server.url, name="Grace") as client:
        yield client


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        (" ag348e ", "AG348E"),
        ("`K7QPXM-4TZ8QN`", "K7QPXM-4TZ8QN"),
        ("https://bigben.example/#room=K7QPXM-4TZ8QN", "K7QPXM-4TZ8QN"),
        ("<https://bigben.example/#watch=k7qpxm>", "K7QPXM"),
        ("https://discord.com/activities/1?referrer_id=2&custom_id=K7QPXM", "K7QPXM"),
        ("daily.book", "daily.book"),
        ("x" * 200, "X" * 64),
    ],
)
def test_a_code_is_found_in_what_people_paste(typed: str, code: str) -> None:
    assert code_in(typed) == code


async def test_a_daily_that_there_is_not_is_answered_with_the_names_of_the_games(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    await bot.chat.feed.client()
    gil = world.person("Gil", locale="de")
    told = await (await gil.types(channel, "bigben join", {"code": "daily.dial"})).shown()
    assert "Großvaters Uhr" in told.content
    assert "grandfathersclock" not in told.content


async def test_a_room_of_the_page_is_joined_by_its_code_and_raced(
    world: Discord, bot: BigBen, channel: Channel, guest: Client
) -> None:
    room = await guest.create()
    ada = world.person("Ada")
    joined = await (await ada.types(channel, "bigben join", {"code": room.race.lower()})).shown()
    assert joined.only_for == ada.user
    assert f"You have a seat in race {room.race}" in joined.content
    assert "**Grace** (host)" in joined.content
    # The channel sees the race too.
    (public,) = await world.changes.until(lambda: world.public(channel), "the room's message")
    assert "**Ada**" in public.content
    # What only Ada sees becomes the board, and no message for all.
    waiting = await (await ada.presses(joined, "Ready")).shown()
    assert waiting.id == joined.id
    await world.changes.until(lambda: "✅ **Ada**" in public.content, "the channel hears of it")
    await guest.ready(room.race)
    await world.changes.until(lambda: waiting.attachments, "the board has come")
    assert world.public(channel) == [public]
    # Typed again, it is the way back to the board.
    board = await (await ada.types(channel, "bigben join", {"code": room.race})).shown()
    assert "12/104 home" in board.content


async def test_an_invitation_is_a_longer_code(
    world: Discord, bot: BigBen, channel: Channel, guest: Client
) -> None:
    room = await guest.create(invite_only=True)
    room = await guest.join(room.race)
    bob = world.person("Bob")
    told = await (await bob.types(channel, "bigben join", {"code": room.race})).shown()
    assert "Ask for the invitation" in told.content
    link = f"https://bigben.example/#room={room.invite}"
    joined = await (await bob.types(channel, "bigben join", {"code": link})).shown()
    assert "You have a seat" in joined.content


async def test_who_has_no_seat_is_told_why_and_what_to_do(
    world: Discord, bot: BigBen, channel: Channel, guest: Client
) -> None:
    cy = world.person("Cy")
    told = await (await cy.types(channel, "bigben join", {"code": "ZZZZZZ"})).shown()
    assert "There is no race ZZZZZZ" in told.content
    assert "Check the code" in told.content
    opened = await (await cy.presses(told, "Open a room")).shown()
    assert "**Cy** (host)" in opened.content
    assert opened.only_for is None

    room = await guest.create()
    await guest.ready(room.race)
    await guest.start(room.race)
    told = await (await cy.types(channel, "bigben join", {"code": room.race})).shown()
    assert "has started without you" in told.content
    assert "You can watch" in told.content
    while room.race not in guest.views:
        await guest.ping()
    assert (
        f"#watch={room.race}"
        in (await (await cy.types(channel, "bigben join", {"code": room.race})).shown()).content
    )
    await guest.move(room.race, "resign")
    while guest.rooms[room.race].phase != "closed":
        await guest.ping()
    told = await (await cy.types(channel, "bigben join", {"code": room.race})).shown()
    assert [button.label for button in told.buttons] == ["Standings", "Verify", "Open a room"]
    places = await (await cy.presses(told, "Standings")).shown()
    assert "**Grace**" in places.content
    assert world.public(channel) == [opened]


async def test_the_daily_can_be_joined_by_name(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    dan = world.person("Dan")
    intro = await (await dan.types(channel, "bigben join", {"code": "Daily.book"})).shown()
    assert "Show me the cards" in str(intro.buttons)


async def test_a_seat_is_left_by_typing_until_the_cards_are_dealt(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    eve, flo = world.person("Eve"), world.person("Flo")
    lobby = await (await eve.types(channel, "bigben race")).shown()
    await (await flo.presses(lobby, "Join")).shown()
    ((label, race),) = await flo.half_types(channel, "bigben leave", {"race": ""}, "race")
    assert "not started" in label
    told = await (await flo.types(channel, "bigben leave", {"race": race})).shown()
    assert "given up your seat" in told.content
    await world.changes.until(lambda: "Flo" not in lobby.content, "the seat is free")
    told = await (await flo.types(channel, "bigben leave", {"race": race})).shown()
    assert "not joined" in told.content
    board = await sees_cards(flo, channel)
    told = await (await flo.types(channel, "bigben leave")).shown()
    assert "/bigben resign" in told.content
    await gives_up(flo, board)
    told = await (await flo.types(channel, "bigben leave")).shown()
    assert "nothing to leave" in told.content
    assert await flo.half_types(channel, "bigben leave", {"race": ""}, "race") == []


async def test_practice_is_seen_by_its_player_alone_and_can_go_on_and_on(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    gus = world.person("Gus")
    board = await (await gus.types(channel, "bigben practice", {"game": "Watch"})).shown()
    assert board.only_for == gus.user
    assert re.search(r"Practice [A-Z0-9]{6}", board.content)
    over = await gives_up(gus, board)
    again = await (await gus.presses(over, "Play another")).shown()
    assert again.id != over.id
    assert again.only_for == gus.user
    assert "no move yet" in again.content
    assert world.public(channel) == []


async def test_a_rematch_is_typed_too(
    world: Discord, server: ServerProcess, tmp_path: Path, channel: Channel
) -> None:
    async with bot_on(world, server.url, tmp_path):
        hal = world.person("Hal")
        lobby = await (await hal.types(channel, "bigben race")).shown()
        board = await starts_alone(hal, lobby)
        await world.changes.until(lambda: board.attachments, "the board has come")
        await gives_up(hal, board)
        await world.changes.until(lambda: "race is over" in lobby.content, "the race is over")
        again = await (await hal.types(channel, "bigben rematch")).shown()
        assert again.only_for is None
        assert "**Hal** (host)" in again.content
        assert again.id != lobby.id


async def test_a_day_that_was_missed_can_be_practised(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    ivy = world.person("Ivy", locale="de")
    days = await ivy.half_types(channel, "bigben practice", {"day": ""}, "day")
    assert len(days) == 25
    yesterday = str(days[0][1])
    board = await (await ivy.types(channel, "bigben practice", {"day": yesterday})).shown()
    # The server of the tests is younger than a day, or it has the cards of yesterday.
    assert "Das erste Tagesrennen war das vom" in board.content or "Übung" in board.content
    assert world.public(channel) == []
