"""A live race on Discord, from the lobby to the rematch."""

import asyncio
import re
from io import BytesIO

from PIL import Image
from tests.discord.playing import gives_up, home, plays_until, starts_alone, taps_on
from tests.discord.standin.messages import Message
from tests.discord.standin.people import Channel
from tests.discord.standin.person import Person
from tests.discord.standin.server import Discord
from tests.support.patience import PATIENCE_S

from bigben_discord.bot import BigBen


async def opened(person: Person, channel: Channel, **options: str | int | bool) -> Message:
    """A new room's public message."""
    return await (await person.types(channel, "bigben race", options)).shown()


async def board_of(world: Discord, person: Person, channel: Channel) -> Message:
    """The board that has come to a player who was ready."""

    def look() -> Message | None:
        seen = [message for message in person.sees(channel) if message.attachments]
        boards = [message for message in seen if message.only_for == person.user]
        return boards[-1] if boards else None

    return await world.changes.until(look, f"{person.name} has a board")


async def both_ready(lobby: Message, first: Person, second: Person) -> None:
    await (await second.presses(lobby, "Join")).shown()
    await (await first.presses(lobby, "Ready")).followed_up()
    await (await second.presses(lobby, "Ready")).followed_up()


def showed(message: Message, text: str) -> bool:
    """Whether it said this once; three seconds of it may be over when a test looks."""
    return any(text in version.content for version in message.versions)


async def test_two_race_at_once_and_again(world: Discord, bot: BigBen) -> None:
    channel = world.channel("general", world.guild("Friends"))
    ada, bob = world.person("Ada"), world.person("Bob")

    lobby = await opened(ada, channel)
    assert lobby.only_for is None
    assert [button.label for button in lobby.buttons] == ["Join", "Ready", "Start now", "Leave"]
    assert "⏳ **Ada** (host)" in lobby.content
    await (await bob.presses(lobby, "Join")).shown()
    assert "⏳ **Bob**" in lobby.content
    waiting = await (await bob.presses(lobby, "Ready")).followed_up()
    assert "✅ **Bob**" in lobby.content
    assert (waiting.only_for, waiting.attachments) == (bob.user, [])
    await (await ada.presses(lobby, "Ready")).followed_up()
    await world.changes.until(lambda: showed(lobby, "Get ready"), "the nonces are mixed")

    # The cards come to both at the same time, each to a message of their own.
    boards = {person: await board_of(world, person, channel) for person in (ada, bob)}
    assert boards[bob].id == waiting.id
    assert boards[ada].picture.description == boards[bob].picture.description
    assert world.public(channel) == [lobby]
    # While it runs all see the players, without places.
    await world.changes.until(lambda: lobby.attachments, "the race has a picture")
    assert {*lobby.picture.description.splitlines()} == {"Ada: 12/104", "Bob: 12/104"}

    second = await taps_on(bob, boards[bob], 2)
    first = await plays_until(lambda board: home(board) > home(second), ada, boards[ada])
    await gives_up(ada, first)
    await gives_up(bob, second)
    await world.changes.until(lambda: "race is over" in lobby.content, "the race has closed")
    assert lobby.content.index("🥇") < lobby.content.index("Ada") < lobby.content.index("🥈")
    # All see the result as a picture that names no card.
    assert [file.filename for file in lobby.attachments] == ["race.png"]
    assert re.fullmatch(r"1\. Ada: \d+/104\n2\. Bob: \d+/104", lobby.picture.description)
    assert Image.open(BytesIO(lobby.picture.data)).size == (1000, 620)

    # Of this server alone: by now many others may have a rating.
    wanted = {"scope": "all-time", "by": "rating", "group": "here"}
    async with asyncio.timeout(PATIENCE_S):
        table = await (await bob.types(channel, "bigben leaderboard", wanted)).shown()
        while "**Ada** · rated" not in table.content:  # a moment after the race has closed
            table = await (await bob.types(channel, "bigben leaderboard", wanted)).shown()
    assert table.content.index("**Ada** · rated") < table.content.index("**Bob** · rated")

    again = await (await bob.presses(lobby, "Rematch")).shown()
    assert again.id != lobby.id
    assert "**Bob** (host)" in again.content
    joined = await ada.presses(lobby, "Rematch")
    assert "You have joined the rematch" in (await joined.shown()).content
    await world.changes.until(lambda: "**Ada**" in again.content, "Ada is in the new room")
    assert len(world.public(channel)) == 2


async def test_ready_is_taken_back_and_a_seat_is_left(world: Discord, bot: BigBen) -> None:
    channel = world.channel("general", world.guild("Friends"))
    cy, dan = world.person("Cy"), world.person("Dan")
    lobby = await opened(cy, channel)
    await (await dan.presses(lobby, "Join")).shown()
    await (await dan.presses(lobby, "Ready")).shown()
    await (await dan.presses(lobby, "Ready")).shown()
    assert "⏳ **Dan**" in lobby.content
    await (await dan.presses(lobby, "Leave")).shown()
    assert "Dan" not in lobby.content
    await (await cy.presses(lobby, "Leave")).shown()
    assert "was cancelled" in lobby.content
    assert lobby.buttons == []


async def test_the_host_starts_with_the_players_who_are_ready(world: Discord, bot: BigBen) -> None:
    channel = world.channel("general", world.guild("Friends"))
    eve, flo, gus = world.person("Eve"), world.person("Flo"), world.person("Gus")
    lobby = await opened(eve, channel)
    for person in (flo, gus):
        await (await person.presses(lobby, "Join")).shown()
    await (await flo.presses(lobby, "Ready")).shown()
    refused = await (await flo.presses(lobby, "Start")).shown()
    assert "host" in refused.content
    assert refused.only_for == flo.user
    asked = await (await eve.presses(lobby, "Start")).shown()
    assert "left out if you start now: **Gus**." in asked.content
    assert asked.only_for == eve.user
    # Somebody else has come meanwhile, whom the question did not name.
    await (await world.person("Han").presses(lobby, "Join")).shown()
    asked = await (await eve.presses(asked, "Start without them")).shown()
    assert "**Gus**, **Han**" in asked.content
    waiting = await (await eve.presses(asked, "Start without them")).shown()
    await world.changes.until(lambda: showed(lobby, "Get ready"), "the countdown runs")
    assert "Gus" not in lobby.content
    board = await board_of(world, eve, channel)
    assert board.id == waiting.id == asked.id
    await board_of(world, flo, channel)


async def test_a_host_alone_is_asked_and_may_wait(world: Discord, bot: BigBen) -> None:
    channel = world.channel("general", world.guild("Friends"))
    ivy, jon = world.person("Ivy"), world.person("Jon")
    lobby = await opened(ivy, channel)
    asked = await (await ivy.presses(lobby, "Start")).shown()
    assert "Nobody else has joined yet, so you would race **alone**." in asked.content
    await (await jon.presses(lobby, "Join")).shown()
    asked = await (await ivy.presses(asked, "race alone")).shown()
    assert "you would race **alone**. Left out: **Jon**." in asked.content
    told = await (await ivy.presses(asked, "No, wait")).shown()
    assert "It starts when all who have joined are ready" in told.content
    assert "⏳ **Jon**" in lobby.content
    # With all others ready nobody is left out, and nothing is asked.
    await (await jon.presses(lobby, "Ready")).followed_up()
    board = await (await ivy.presses(lobby, "Start")).shown()
    await world.changes.until(lambda: board.attachments, "the board has come")


async def test_a_user_who_is_not_in_the_race_is_told_so_privately(
    world: Discord, bot: BigBen
) -> None:
    channel = world.channel("general", world.guild("Friends"))
    hal, ida = world.person("Hal"), world.person("Ida")
    lobby = await opened(hal, channel)
    before = lobby.content
    for button in ("Ready", "Start", "Leave"):
        told = await (await ida.presses(lobby, button)).shown()
        assert told.only_for == ida.user
        assert "not joined this race" in told.content
    assert lobby.content == before


async def test_a_spectator_has_no_board(world: Discord, bot: BigBen) -> None:
    channel = world.channel("general", world.guild("Friends"))
    jo, kim = world.person("Jo"), world.person("Kim")
    lobby = await opened(jo, channel)
    await starts_alone(jo, lobby)
    await world.changes.until(lambda: "My board" in str(lobby.buttons), "the countdown runs")
    told = await (await kim.presses(lobby, "My board")).shown()
    assert "not in this race" in told.content
    assert told.attachments == []


async def test_a_room_says_its_rules(world: Discord, bot: BigBen) -> None:
    channel = world.channel("general", world.guild("Friends"))
    lobby = await opened(
        world.person("Lea"), channel, rules="book", minutes=15, undo=True, who="here"
    )
    assert "Rules of the book · 15 min · with undo · invite only" in lobby.content


async def test_the_message_is_the_invitation(world: Discord, bot: BigBen) -> None:
    channel = world.channel("general", world.guild("Friends"))
    max_, nia = world.person("Max"), world.person("Nia")
    lobby = await opened(max_, channel, who="here")
    await (await nia.presses(lobby, "Join")).shown()
    assert "**Nia**" in lobby.content
    assert "-" in lobby.button("Join").custom_id


async def test_a_room_lasts_as_long_as_anybody_plays_not_as_long_as_a_token(
    world: Discord, bot: BigBen
) -> None:
    channel = world.channel("general", world.guild("Friends"))
    oda = world.person("Oda")
    lobby = await opened(oda, channel)
    await starts_alone(oda, lobby)
    board = await board_of(world, oda, channel)
    world.clock.skip(20 * 60)
    board = await taps_on(oda, board, 3)
    await world.changes.until(lambda: "move 3" in lobby.content, "the public message goes on")
    routes = [r.route for r in world.rest.requests if r.route.startswith("PATCH /channels/")]
    assert routes
