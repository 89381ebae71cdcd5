"""A member challenges another on Discord, who alone may answer."""

from tests.discord.standin.commands import Given
from tests.discord.standin.people import Channel
from tests.discord.standin.server import Discord

from bigben_chat.connections.identity import ChatUser
from bigben_discord.bot import BigBen


async def test_a_member_is_challenged_and_both_race_where_nobody_else_joins(
    world: Discord, channel: Channel, bot: BigBen
) -> None:
    ada, bob, eve = world.person("Ada"), world.person("Bob"), world.person("Eve")
    given: Given = {"opponent": bob.user, "game": "watch"}
    asked = await (await ada.types(channel, "bigben race", given)).shown()
    assert asked.content.startswith(
        f"<@{bob.user.id}> Ada challenges you to a race: Watch.\n-# The challenge expires <t:"
    )
    assert world.state.pings == [str(bob.user.id)]
    for other in (eve, ada):
        told = await (await other.presses(asked, "Accept")).shown()
        assert told.only_for == other.user
        assert "Only the player who is challenged can answer" in told.content
    told = await (await bob.presses(asked, "Accept")).followed_up()
    assert told.content == f"<@{ada.user.id}> Bob has accepted your challenge."
    assert world.state.pings[1:] == [str(ada.user.id)]
    world.state.pings.clear()
    lobby = next(message for message in eve.sees(channel) if message.id == asked.id)
    assert "**Bob**" in lobby.content
    refused = await (await eve.presses(lobby, "Join")).shown()
    assert "invite only" in refused.content
    await (await ada.presses(lobby, "Join")).shown()
    assert "**Ada**" in lobby.content


async def test_a_challenge_is_declined_and_its_message_says_so(
    world: Discord, channel: Channel, bot: BigBen
) -> None:
    ada, bob = world.person("Ada"), world.person("Bob")
    asked = await (await ada.types(channel, "bigben race", {"opponent": bob.user})).shown()
    await (await bob.presses(asked, "Decline")).shown()
    world.state.pings.clear()
    assert asked.content == "Bob has declined the challenge of Ada."
    assert not asked.buttons
    again = await (await ada.types(channel, "bigben race", {"opponent": bob.user})).shown()
    assert "This player has declined" in again.content
    alone = await (await ada.types(channel, "bigben race", {"opponent": ada.user})).shown()
    assert "You can’t challenge yourself" in alone.content


async def test_an_old_challenge_says_that_it_is_no_longer_open(
    world: Discord, channel: Channel, bot: BigBen
) -> None:
    ada, bob = world.person("Ada"), world.person("Bob")
    asked = await (await ada.types(channel, "bigben race", {"opponent": bob.user})).shown()
    async with bot.chat.players.connected(ChatUser(int(bob.user.id), bob.name)) as player:
        (one,) = (await player.client.challenges()).received
        await player.client.answer_challenge(one.id, accept=False)
    await (await bob.presses(asked, "Accept")).shown()
    assert "no longer open" in asked.content
    world.state.pings.clear()
    assert not asked.buttons
