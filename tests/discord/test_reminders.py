"""The reminder role: who may choose it, which it may be, and for whom the daily post rings."""

import pytest
from tests.discord.standin.commands import Given
from tests.discord.standin.people import MANAGE_GUILD, MANAGE_ROLES, MENTION_EVERYONE, Channel, Role
from tests.discord.standin.person import Person
from tests.discord.standin.server import Discord

from bigben_chat.records import GroupRecord
from bigben_discord.bot import BigBen


@pytest.fixture
def boss(world: Discord) -> Person:
    return world.person("Boss")


@pytest.fixture
def channel(world: Discord, boss: Person) -> Channel:
    """In a guild in which the bot may manage and mention roles."""
    may = MANAGE_ROLES | MENTION_EVERYONE
    guild = world.guild("Friends", managers=(boss,), bot_may=may)
    world.state.roles.of(guild, boss.user)
    return world.channel("general", guild)


def role_of(bot: BigBen, channel: Channel) -> int | str:
    assert channel.guild is not None
    return (bot.chat.store.get("guild", channel.guild.id, GroupRecord) or GroupRecord()).role


async def test_the_daily_post_rings_for_those_who_took_the_role(
    world: Discord, channel: Channel, bot: BigBen, boss: Person
) -> None:
    assert channel.guild is not None
    wanted: Given = {"channel": channel, "reminder": True}
    shown = await (await boss.types(channel, "bigben settings", wanted)).shown()
    role = role_of(bot, channel)
    assert f"Reminder role: <@&{role}>" in shown.content
    (made,) = [one for one in world.state.roles.all(channel.guild) if one.id == str(role)]
    assert (made.permissions, made.mentionable) == (0, False), "members can't ring for all"
    (post,) = await world.changes.until(lambda: world.public(channel), "the daily post")
    assert post.content.startswith(f"<@&{role}>\n")
    assert world.state.pings == [str(role)]
    world.state.pings.clear()

    ada = world.person("Ada")
    told = await (await ada.presses(post, "Remind me")).shown()
    assert "notifies you" in told.content
    assert told.only_for == ada.user
    assert world.state.roles.of(channel.guild, ada.user) == (str(role),)
    told = await (await ada.presses(post, "Remind me")).shown()
    assert "no longer notifies" in told.content
    assert world.state.roles.of(channel.guild, ada.user) == ()

    # An edit of the post mentions the role and rings for nobody.
    intro = await (await ada.presses(post, "Play")).shown()
    await (await ada.presses(intro, "Show me the cards")).shown()
    await world.changes.until(lambda: "**Ada**" in post.content, "Ada is in the post")
    assert post.content.startswith(f"<@&{role}>\n")
    assert "Remind me" in str(post.buttons)

    off = await (await boss.types(channel, "bigben settings", {"reminder": False})).shown()
    assert "Reminder role: none" in off.content
    told = await (await ada.presses(post, "Remind me")).shown()
    assert "no reminder role here any more" in told.content


async def test_a_role_of_the_guild_may_be_chosen_unless_it_gives_anything(
    world: Discord, bot: BigBen, boss: Person, channel: Channel
) -> None:
    assert channel.guild is not None
    roles = world.state.roles
    plain = roles.put(channel.guild, Role(world.new_id(), "Racers"))
    strong = roles.put(channel.guild, Role(world.new_id(), "Mods", MANAGE_GUILD))
    above = roles.put(channel.guild, Role(world.new_id(), "Above", position=9))
    await world.welcome(channel.guild)
    for wrong in (strong, above):
        told = await (await boss.types(channel, "bigben settings", {"role": wrong})).shown()
        assert f"<@&{wrong.id}> can’t be the reminder role" in told.content
        assert role_of(bot, channel) == 0
    await (await boss.types(channel, "bigben settings", {"role": plain})).shown()
    assert role_of(bot, channel) == int(plain.id)


async def test_a_role_that_would_ring_for_nobody_is_not_accepted(
    world: Discord, bot: BigBen, boss: Person
) -> None:
    guild = world.guild("Quiet", managers=(boss,), bot_may=MANAGE_ROLES)
    channel = world.channel("general", guild)
    world.state.roles.of(guild, boss.user)
    silent = world.state.roles.put(guild, Role(world.new_id(), "Racers", mentionable=False))
    loud = world.state.roles.put(guild, Role(world.new_id(), "Runners", mentionable=True))
    await world.welcome(guild)
    for wrong in ({"role": silent}, {"reminder": True}):
        told = await (await boss.types(channel, "bigben settings", wrong)).shown()
        assert "*Mention @everyone, @here, and All Roles*" in told.content
        assert role_of(bot, channel) == 0
    await (await boss.types(channel, "bigben settings", {"role": loud})).shown()
    assert role_of(bot, channel) == int(loud.id)


async def test_without_manage_roles_the_bot_says_what_is_missing(
    world: Discord, bot: BigBen, boss: Person
) -> None:
    channel = world.channel("general", world.guild("Weak", managers=(boss,)))
    told = await (await boss.types(channel, "bigben settings", {"reminder": True})).shown()
    assert "*Manage Roles*" in told.content
    assert role_of(bot, channel) == 0
