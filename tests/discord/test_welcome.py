"""The first message in a guild that has added the bot: once, where it may write, unasked by DM."""

from pathlib import Path

from tests.discord.running import bot_on
from tests.discord.standin.people import SEND_MESSAGES
from tests.discord.standin.server import SYSTEM, Discord
from tests.support.server_process import ServerProcess

from bigben_chat.records import GroupRecord
from bigben_discord.bot import BigBen

POST = "POST /channels/{channel_id}/messages"


async def test_a_guild_is_told_once_what_to_try_first(
    world: Discord, server: ServerProcess, tmp_path: Path
) -> None:
    async with bot_on(world, server.url, tmp_path) as bot:
        await bot.wait_until_ready()
        friends = world.guild("Freunde", locale="de")
        channel = world.channel(SYSTEM, friends)
        await world.welcome(friends)
        (hello,) = await world.changes.until(lambda: world.public(channel), "the welcome")
        assert "Hallo, hier ist Big Ben" in hello.content
        labels = [button.label for button in hello.buttons]
        assert labels == ["In einer Minute lernen", "Heutiges Rennen", "Raum öffnen"]
        ada = world.person("Ada")
        page = await (await ada.presses(hello, "lernen")).shown()
        assert page.only_for == ada.user
        intro = await (await ada.presses(hello, "Heutiges")).shown()
        assert "Show me the cards" in str(intro.buttons)
        lobby = await (await ada.presses(hello, "öffnen")).shown()
        assert lobby.only_for is None
    async with bot_on(world, server.url, tmp_path) as bot:
        await bot.wait_until_ready()
        await world.welcome(friends)
        await world.changes.until(lambda: bot.get_guild(int(friends.id)), "the bot has heard")
        await (await ada.types(channel, "bigben help")).shown()
    assert world.public(channel) == [hello, lobby]


async def test_where_it_may_not_write_it_says_nothing_and_nobody_gets_a_direct_message(
    world: Discord, bot: BigBen
) -> None:
    await bot.wait_until_ready()
    quiet = world.guild("Quiet")
    world.channel(SYSTEM, quiet, denied=SEND_MESSAGES)
    plain = world.guild("Plain")
    channel = world.channel("general", plain)
    for guild in (quiet, plain):
        await world.welcome(guild)
    ada = world.person("Ada")
    await (await ada.types(channel, "bigben help")).shown()
    assert bot.get_guild(int(plain.id))
    assert [request for request in world.rest.requests if request.route == POST] == []
    # It can still be said where the bot is allowed to later.
    assert not (bot.chat.store.get("guild", quiet.id, GroupRecord) or GroupRecord()).welcomed
