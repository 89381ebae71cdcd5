"""People who press at the same time, on a network that reorders what is sent together."""

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import pytest
from tests.discord.playing import gives_up
from tests.discord.running import Pace, bot_on
from tests.discord.standin.messages import Message
from tests.discord.standin.people import Channel
from tests.discord.standin.person import Answer, Person
from tests.discord.standin.rest import Fault
from tests.discord.standin.server import Discord
from tests.support.server_process import ServerProcess

from bigben_chat.chat import TICK_S
from bigben_discord.bot import BigBen

CALLBACK = "POST /interactions/{interaction_id}/{interaction_token}/callback"
LATER_S = 60.0
"""A tick in which nothing is repaired that the answers have left wrong."""


@pytest.fixture
def channel(world: Discord, channel: Channel) -> Channel:
    world.network.longest = 0.05
    return channel


@pytest.fixture
async def sparing(world: Discord, server: ServerProcess, tmp_path: Path) -> AsyncIterator[BigBen]:
    """A bot that edits by itself so rarely that its answers have to be right."""
    async with bot_on(world, server.url, tmp_path, Pace(tick=LATER_S)) as one:
        yield one


async def opened(person: Person, channel: Channel, **options: str) -> Message:
    """A new room's public message."""
    return await (await person.types(channel, "bigben race", options)).shown()


async def together(message: Message, label: str, *people: Person) -> list[Answer]:
    """All of them press this button at once; what came of it, once each is acknowledged."""
    answers = await asyncio.gather(*(person.presses(message, label) for person in people))
    for answer in answers:
        await answer.acknowledged()
    return answers


def is_answered(answer: Answer) -> bool:
    """By what it shows, or by a message besides a promise that was taken back."""
    one = answer.interaction
    return bool(one.followups) or (one.original is not None and not one.original.thinking)


async def ended(world: Discord, channel: Channel, *people: Person) -> Message:
    """The public message of a room in which all of them have raced and given up."""
    host, *others = people
    lobby = await opened(host, channel)
    await together(lobby, "Join", *others)
    await together(lobby, "Ready", *people)
    await world.changes.until(lambda: "Ends" in lobby.content, "the race runs")
    for person in people:
        await gives_up(person, await (await person.presses(lobby, "My board")).shown())
    await world.changes.until(lambda: "race is over" in lobby.content, "the race is over")
    return lobby


async def test_a_rematch_that_all_want_at_once_is_one_room_with_one_message(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    people = [world.person(name) for name in ("Ada", "Bob", "Cy")]
    lobby = await ended(world, channel, *people)
    for answer in await together(lobby, "Rematch", *people):
        await world.changes.until(partial(is_answered, answer), "each is told")
    before, again = world.public(channel)
    assert before == lobby
    dan = world.person("Dan")
    await (await dan.presses(again, "Join")).shown()
    await world.changes.until(
        lambda: all(f"**{person.name}**" in again.content for person in (*people, dan)),
        "all four are in the room",
    )
    assert world.public(channel) == [lobby, again]


async def test_the_last_edit_of_a_message_is_true_in_whatever_order_edits_arrive(
    world: Discord, sparing: BigBen, channel: Channel
) -> None:
    host, *others = (world.person(name) for name in ("Host", "Ann", "Ben", "Cleo", "Dirk", "Eva"))
    lobby = await opened(host, channel)

    def all_are(sign: str) -> bool:
        return all(f"{sign} **{person.name}**" in lobby.content for person in others)

    await together(lobby, "Join", *others)
    await world.changes.until(lambda: all_are("⏳"), "all have joined")
    for _ in range(2):
        await together(lobby, "Ready", *others)
        await world.changes.until(lambda: all_are("✅"), "all are ready")
        await together(lobby, "Ready", *others)
        await world.changes.until(lambda: all_are("⏳"), "nobody is ready any more")
    await together(lobby, "Leave", *others)
    await world.changes.until(
        lambda: not any(f"**{p.name}**" in lobby.content for p in others), "all left"
    )
    assert "**Host**" in lobby.content


async def test_a_player_can_join_before_the_bot_knows_its_own_message(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    fay, gil = world.person("Fay"), world.person("Gil")
    with world.network.holding(f"from {CALLBACK}"):
        await fay.types(channel, "bigben race", {"who": "here"})
        (lobby,) = await world.changes.until(lambda: world.public(channel), "the room's message")
        invitation = lobby.button("Join").custom_id
        joined = await gil.presses(lobby, "Join")
    await joined.acknowledged()
    await world.changes.until(lambda: "**Gil**" in lobby.content, "Gil is in the room")
    assert lobby.button("Join").custom_id == invitation
    assert world.public(channel) == [lobby]


async def test_an_answer_that_was_refused_is_made_good_by_the_next_edit(
    world: Discord, server: ServerProcess, tmp_path: Path, channel: Channel
) -> None:
    hal, ida = world.person("Hal"), world.person("Ida")
    async with bot_on(world, server.url, tmp_path, Pace(tick=TICK_S)):
        lobby = await opened(hal, channel)
        world.rest.faults.append(Fault(CALLBACK, 403))
        await ida.presses(lobby, "Join")
        await world.changes.until(lambda: "**Ida**" in lobby.content, "Ida is in the room")
        world.state.interactions.clear()
