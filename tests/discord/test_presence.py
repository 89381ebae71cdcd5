"""Players who are away: shown so, without holding up the others; and the rematch does not wait."""

from pathlib import Path

from tests.discord.playing import gives_up, room_of, taps_on
from tests.discord.running import Pace, bot_on
from tests.discord.standin.people import Channel
from tests.discord.standin.person import Person
from tests.discord.standin.server import Discord
from tests.discord.test_together import is_answered, together
from tests.support.server_process import ServerProcess

from bigben_discord.bot import BigBen


async def is_ready(world: Discord, channel: Channel, *people: Person) -> None:
    await world.changes.until(
        lambda: all(
            any(m.attachments and m.only_for for m in person.sees(channel)) for person in people
        ),
        "all have their cards",
    )


async def test_who_presses_nothing_for_long_is_shown_as_away_and_can_come_back(
    world: Discord, server: ServerProcess, tmp_path: Path, channel: Channel
) -> None:
    ada, bob = world.person("Ada"), world.person("Bob")
    async with bot_on(world, server.url, tmp_path, Pace(idle=0.5)):
        lobby = await room_of(ada, bob, channel)
        boards = [await (await one.presses(lobby, "Ready")).followed_up() for one in (ada, bob)]
        await is_ready(world, channel, ada, bob)
        await world.changes.until(lambda: "💤 away" in lobby.content, "nobody presses anything")
        assert "move 1" in (await taps_on(ada, boards[0], 1)).content
        for person, board in zip((ada, bob), boards, strict=True):
            await gives_up(person, board)
        await world.changes.until(lambda: "race is over" in lobby.content, "the race has closed")


async def test_a_rematch_does_not_wait_for_the_last_player_and_is_one_room_with_one_message(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    people = [world.person(name) for name in ("Cy", "Dan", "Eve")]
    cy, dan, eve = people
    lobby = await room_of(cy, dan, channel)
    await (await eve.presses(lobby, "Join")).shown()
    boards = [await (await one.presses(lobby, "Ready")).followed_up() for one in people]
    await is_ready(world, channel, *people)
    over = [await gives_up(one, board) for one, board in zip(people[:2], boards[:2], strict=True)]
    assert "so far" in over[1].content
    for answer in [
        *await together(over[0], "Rematch", cy),
        *await together(over[1], "Rematch", dan),
    ]:
        await world.changes.until(lambda: is_answered(answer), "each is told")  # noqa: B023
    before, again = world.public(channel)
    assert before == lobby
    await world.changes.until(
        lambda: all(f"**{one.name}**" in again.content for one in (cy, dan)), "both are in it"
    )
    assert "**Eve**" not in again.content
    await world.changes.until(lambda: "Rematch: **" in lobby.content, "the race names it")
    # Eve plays on, and joins when she is done.
    assert "move 1" in (await taps_on(eve, boards[2], 1)).content
    await gives_up(eve, boards[2])
    await (await eve.presses(boards[2], "Rematch")).shown()
    await world.changes.until(lambda: "**Eve**" in again.content, "Eve is in it too")
    assert world.public(channel) == [lobby, again]
