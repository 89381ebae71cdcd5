"""A room whose public message is deleted: it is posted again, or comes when somebody asks."""

import pytest
from tests.discord.playing import room_of
from tests.discord.standin.messages import Message
from tests.discord.standin.people import SEND_MESSAGES, VIEW_CHANNEL, Channel
from tests.discord.standin.person import Person
from tests.discord.standin.server import Discord

from bigben_discord.bot import BigBen


async def leaves_elsewhere(bot: BigBen, person: Person) -> None:
    """Not through a button: the bot can only hear of it."""
    player = bot.chat.players.get(int(person.user.id))
    assert player is not None
    (race,) = player.client.rooms
    await player.client.leave(race)


async def only(world: Discord, channel: Channel) -> Message:
    """The one public message, once there is one."""
    (message,) = await world.changes.until(lambda: world.public(channel), "a message")
    return message


async def test_it_is_posted_again_when_there_is_changes(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    ada, bob = world.person("Ada"), world.person("Bob")
    lobby = await room_of(ada, bob, channel)
    lobby.deleted = True
    await leaves_elsewhere(bot, bob)
    again = await only(world, channel)
    assert "**Ada** (host)" in again.content
    assert "**Bob**" not in again.content
    # The race goes on in it.
    await (await bob.presses(again, "Join")).shown()
    for person in (ada, bob):
        await (await person.presses(again, "Ready")).followed_up()
    await world.changes.until(lambda: "Ends" in again.content, "the race runs")
    assert world.public(channel) == [again]


async def test_a_message_that_is_deleted_twice_is_only_posted_again_for_a_player(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    cy, dan, eve = (world.person(name) for name in ("Cy", "Dan", "Eve"))
    lobby = await room_of(cy, dan, channel)
    await (await eve.presses(lobby, "Join")).shown()
    lobby.deleted = True
    await leaves_elsewhere(bot, dan)
    again = await only(world, channel)
    again.deleted = True
    answer = await cy.types(channel, "bigben board")
    third = await answer.followed_up()
    assert "**Eve**" in third.content
    assert third.only_for is None
    assert world.public(channel) == [third]
    assert "not dealt yet" in (await answer.shown()).content


async def test_a_player_who_asks_brings_back_the_message_of_a_quiet_lobby(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    flo, gus = world.person("Flo"), world.person("Gus")
    lobby = await room_of(flo, gus, channel)
    lobby.deleted = True
    await (await flo.types(channel, "bigben board")).shown()
    again = await only(world, channel)
    await (await gus.presses(again, "Leave")).shown()
    assert "**Gus**" not in again.content
    # One that is there is left there.
    await (await flo.types(channel, "bigben board")).shown()
    assert world.public(channel) == [again]


@pytest.mark.parametrize("member", [True, False])
async def test_where_the_bot_may_not_post_the_message_comes_with_an_answer(
    world: Discord, bot: BigBen, *, member: bool
) -> None:
    guild = world.guild("Strangers", bot_is_member=member)
    quiet = world.channel("quiet", guild, denied=SEND_MESSAGES | VIEW_CHANNEL if member else 0)
    hal, ida = world.person("Hal"), world.person("Ida")
    lobby = await room_of(hal, ida, quiet)
    lobby.deleted = True
    await (await hal.types(quiet, "bigben board")).shown()
    again = await only(world, quiet)
    await leaves_elsewhere(bot, ida)
    await world.changes.until(lambda: "**Ida**" not in again.content, "it is kept up to date")
    await (await ida.presses(again, "Join")).shown()
    assert "**Ida**" in again.content
