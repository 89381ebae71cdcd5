"""``/bigben forget-me``: what the bot forgets, what stays, and that it asks first."""

import asyncio
from pathlib import Path

from tests.discord.playing import sees_cards, taps_on
from tests.discord.running import bot_on
from tests.discord.standin.people import Channel
from tests.discord.standin.server import Discord
from tests.support.patience import PATIENCE_S
from tests.support.server_process import ServerProcess

from bigben_chat.records import GroupRecord
from bigben_chat.store import Store
from bigben_discord.bot import BigBen


def named(bot: BigBen, user: str) -> list[str]:
    """The kinds of all records that name the user."""
    rows = bot.chat.store._connection.execute("SELECT kind, key, value FROM kept").fetchall()  # pyright: ignore[reportPrivateUsage]
    return [kind for kind, key, value in rows if user in key or user.encode() in value]


async def test_nothing_that_the_bot_stores_names_the_user_afterwards(
    world: Discord, bot: BigBen
) -> None:
    boss = world.person("Boss")
    channel = world.channel("general", world.guild("Friends", managers=(boss,)))
    await (await boss.types(channel, "bigben settings", {"channel": channel})).shown()
    await world.changes.until(lambda: world.public(channel), "the daily post")
    board = await taps_on(boss, await sees_cards(boss, channel), 2)
    lobby = await (await boss.types(channel, "bigben race")).shown()
    await (await boss.presses(lobby, "Ready")).followed_up()
    kinds = {"player", "kept", "wait", "post", "guild"}
    async with asyncio.timeout(PATIENCE_S):
        while not kinds <= set(named(bot, boss.user.id)):  # noqa: ASYNC110  # the store tells nobody
            await asyncio.sleep(0)

    asked = await (await boss.types(channel, "bigben forget-me")).shown()
    assert asked.only_for == boss.user
    assert f"delete-player discord:{boss.user.id}" in asked.content
    kept = await (await boss.presses(asked, "No, keep it")).shown()
    assert "Nothing was forgotten" in kept.content
    assert named(bot, boss.user.id)

    asked = await (await boss.types(channel, "bigben forget-me")).shown()
    done = await (await boss.presses(asked, "Yes, forget me")).shown()
    assert "has forgotten you" in done.content
    assert named(bot, boss.user.id) == []
    guild = bot.chat.store.get("guild", channel.guild.id if channel.guild else 0, GroupRecord)
    assert guild is not None
    assert guild.channel == int(channel.id), "the guild keeps its post"

    # The attempt stays spent: the daily goes on where it was.
    again = await (await boss.types(channel, "bigben daily")).shown()
    assert "move 2" in again.content
    assert again.picture.description == board.picture.description


async def test_what_another_version_wrote_is_forgotten_too(
    world: Discord, server: ServerProcess, tmp_path: Path, channel: Channel
) -> None:
    ann = world.person("Ann")
    store = Store(tmp_path / "discord.sqlite")
    store.put("kept", f"{ann.user.id}:K7QPXM", GroupRecord(time="nonsense"))
    store.put("kept", f"{ann.user.id}0:K7QPXM", GroupRecord(time="of somebody else"))
    store.close()
    async with bot_on(world, server.url, tmp_path) as bot:
        asked = await (await ann.types(channel, "bigben forget-me")).shown()
        await (await ann.presses(asked, "Yes, forget me")).shown()
        assert named(bot, f"{ann.user.id}:") == []
        assert named(bot, f"{ann.user.id}0:") == ["kept"]


async def test_both_buttons_pressed_at_once_change_the_question_one_after_the_other(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    """The stand-in finds edits of one message that overlap."""
    eve = world.person("Eve")
    asked = await (await eve.types(channel, "bigben forget-me")).shown()
    taps = await asyncio.gather(*(eve.taps(asked, button) for button in asked.buttons))
    await world.changes.until(lambda: len(asked.versions) == 3, "both are answered")
    assert [await tap.acknowledged() for tap in taps]
