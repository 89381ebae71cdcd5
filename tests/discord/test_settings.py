"""``/bigben settings``: who may, what can be set, and what is kept."""

import threading

import pytest
from tests.discord.standin.people import Channel
from tests.discord.standin.person import Person
from tests.discord.standin.server import Discord

from bigben_chat.records import GroupRecord
from bigben_discord.bot import BigBen
from bigben_discord.commands.completions import all_zones


@pytest.fixture
def boss(world: Discord) -> Person:
    return world.person("Boss")


@pytest.fixture
def channel(world: Discord, boss: Person) -> Channel:
    return world.channel("general", world.guild("Friends", managers=(boss,)))


def kept(bot: BigBen, channel: Channel) -> GroupRecord | None:
    assert channel.guild is not None
    return bot.chat.store.get("guild", channel.guild.id, GroupRecord)


async def test_only_managers_change_anything(world: Discord, bot: BigBen, channel: Channel) -> None:
    ada = world.person("Ada")
    told = await (await ada.types(channel, "bigben settings", {"time": "09:00"})).shown()
    assert "Only managers can" in told.content
    assert told.only_for == ada.user
    assert kept(bot, channel) is None


async def test_in_direct_messages_there_is_nothing_to_set(
    world: Discord, bot: BigBen, boss: Person
) -> None:
    told = await (await boss.types(world.direct(boss), "bigben settings")).shown()
    assert "does not work in direct messages" in told.content


async def test_everything_is_set_shown_and_kept(
    bot: BigBen, channel: Channel, boss: Person
) -> None:
    shown = await (
        await boss.types(
            channel,
            "bigben settings",
            {"time": "7:30", "timezone": "Europe/Berlin", "rules": "book", "language": "de"},
        )
    ).shown()
    for said in ("07:30 (Europe/Berlin)", "Rules of the book", "Deutsch", "off"):
        assert said in shown.content
    assert kept(bot, channel) == GroupRecord(
        time="07:30", zone="Europe/Berlin", rules="book", language="de"
    )
    again = await (await boss.types(channel, "bigben settings")).shown()
    assert again.content == shown.content


async def test_the_post_is_turned_on_by_its_channel_and_off_again(
    world: Discord, bot: BigBen, channel: Channel, boss: Person
) -> None:
    on = await (await boss.types(channel, "bigben settings", {"channel": channel})).shown()
    assert f"<#{channel.id}>" in on.content
    await world.changes.until(lambda: world.public(channel), "the first post")
    off = await (await boss.types(channel, "bigben settings", {"post": False})).shown()
    assert "Daily post: off" in off.content
    guild = kept(bot, channel)
    assert guild is not None
    assert guild.channel == 0


async def test_a_guest_posts_nothing(world: Discord, bot: BigBen, boss: Person) -> None:
    strangers = world.guild("Strangers", bot_is_member=False, managers=(boss,))
    channel = world.channel("general", strangers)
    told = await (await boss.types(channel, "bigben settings", {"channel": channel})).shown()
    assert "as a member" in told.content
    assert kept(bot, channel) is None


@pytest.mark.parametrize(
    ("option", "typed", "said"),
    [
        ("time", "25:00", "like 08:00"),
        ("time", "noon", "like 08:00"),
        ("time", "8.30", "like 08:00"),
        ("timezone", "Berlin", "Europe/Berlin"),
        ("timezone", "../etc/passwd", "Europe/Berlin"),
    ],
)
async def test_a_senseless_setting_is_explained_and_not_stored(
    bot: BigBen, channel: Channel, boss: Person, option: str, typed: str, said: str
) -> None:
    told = await (await boss.types(channel, "bigben settings", {option: typed})).shown()
    assert said in told.content
    assert kept(bot, channel) is None


async def test_the_language_can_be_left_to_the_guild_again(
    bot: BigBen, channel: Channel, boss: Person
) -> None:
    await (await boss.types(channel, "bigben settings", {"language": "de"})).shown()
    shown = await (await boss.types(channel, "bigben settings", {"language": "usual"})).shown()
    assert "messages: the usual one here" in shown.content
    assert kept(bot, channel) == GroupRecord()


async def test_time_zones_are_read_once_and_beside_the_event_loop(
    bot: BigBen, channel: Channel, boss: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    readers = []

    def read() -> set[str]:
        readers.append(threading.current_thread())
        return {"Europe/Berlin"}

    monkeypatch.setattr("bigben_discord.commands.completions.available_timezones", read)
    all_zones.cache_clear()
    for typed in ("b", "be", "ber"):
        half = {"timezone": typed}
        assert await boss.half_types(channel, "bigben settings", half, "timezone")
    assert len(readers) == 1
    assert readers[0] is not threading.main_thread()
    all_zones.cache_clear()


async def test_time_zones_are_completed(bot: BigBen, channel: Channel, boss: Person) -> None:
    half = {"timezone": "berl"}
    found = await boss.half_types(channel, "bigben settings", half, "timezone")
    assert ("Europe/Berlin", "Europe/Berlin") in found
    every = await boss.half_types(channel, "bigben settings", {"timezone": ""}, "timezone")
    assert len(every) == 25


async def test_the_guilds_rules_and_language_hold_for_its_races(
    world: Discord, bot: BigBen, channel: Channel, boss: Person
) -> None:
    wanted = {"rules": "open", "language": "de"}
    await (await boss.types(channel, "bigben settings", wanted)).shown()
    lobby = await (await world.person("Cy").types(channel, "bigben race")).shown()
    assert "Offene Regeln" in lobby.content
    assert "Mitmachen" in str(lobby.buttons)
