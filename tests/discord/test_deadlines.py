"""Races on everybody's own clock until a deadline."""

from datetime import UTC, datetime, timedelta

import pytest
from msgspec import structs
from tests.discord.playing import gives_up, taps_on
from tests.discord.standin.people import SEND_MESSAGES, Channel
from tests.discord.standin.server import Discord

from bigben_chat.actions.deadlines import DEADLINES, deadline_at
from bigben_discord.bot import BigBen
from bigben_protocol import Standings

EVENING = datetime(2026, 11, 21, 20, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("choice", "zone", "until"),
    [
        ("3h", "UTC", "2026-11-21 23:30"),
        ("tonight", "UTC", "2026-11-22 00:00"),
        ("tonight", "Europe/Berlin", "2026-11-21 23:00"),
        ("tonight", "Pacific/Kiritimati", "2026-11-22 10:00"),
        ("tomorrow", "America/Los_Angeles", "2026-11-23 08:00"),
        ("tonight", "Atlantis/Centre", "2026-11-22 00:00"),
        ("3d", "UTC", "2026-11-24 20:30"),
        ("7d", "UTC", "2026-11-28 20:29"),
    ],
)
def test_a_deadline_is_midnight_where_the_guild_is(choice: str, zone: str, until: str) -> None:
    at = datetime.fromtimestamp(deadline_at(choice, EVENING, zone) / 1000, UTC)
    assert at == datetime.fromisoformat(until).replace(tzinfo=UTC)


def test_there_is_always_an_hour_left_and_never_more_than_a_week() -> None:
    late = EVENING.replace(hour=23, minute=50)
    for choice in DEADLINES:
        left = deadline_at(choice, late, "UTC") / 1000 - late.timestamp()
        assert timedelta(hours=1).total_seconds() <= left < timedelta(days=7).total_seconds()


async def test_friends_race_when_they_like_and_the_result_is_posted_at_the_deadline(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    ada, bob = world.person("Ada"), world.person("Bob")
    lobby = await (await ada.types(channel, "bigben race", {"deadline": "3d"})).shown()
    assert "starts when they like, until <t:" in lobby.content
    assert [button.label for button in lobby.buttons] == ["Play"]
    told = await (await ada.types(channel, "bigben board")).shown()
    assert "press *Play*" in told.content
    intro = await (await bob.presses(lobby, "Play")).shown()
    assert "You have one try" in intro.content
    assert intro.only_for == bob.user
    board = await (await bob.presses(intro, "Show me the cards")).shown()
    await gives_up(bob, await taps_on(bob, board, 1))
    await world.changes.until(lambda: "**Bob** 🏳️" in lobby.content, "the message is up to date")
    assert "⏳ **Ada**" in lobby.content
    assert world.public(channel) == [lobby]

    # The deadline comes: the old message is edited, and a new one is noticed.
    players = bot.chat.players._players  # pyright: ignore[reportPrivateUsage]
    (race,) = [room.race for room in players[int(bob.user.id)].client.rooms.values()]
    room = bot.chat.feed.room(race)
    assert room is not None
    closed = structs.replace(room, phase="closed", since=room.since + 1)
    rows = tuple(structs.replace(seat, place=1) for seat in room.seats if seat.name == "Bob")
    bot.chat.feed._receive(Standings(room.race, rows, final=True, players=1))  # pyright: ignore[reportPrivateUsage]
    bot.chat.posts.note(closed)
    (old, new) = await world.changes.until(
        lambda: world.public(channel) if len(world.public(channel)) > 1 else None, "the result"
    )
    assert old == lobby
    assert "race is over" in old.content
    assert "🥇" in new.content
    assert bot.chat.posts.find(int(channel.id), race) is None


async def test_where_the_bot_may_not_post_the_edited_message_is_enough(
    world: Discord, bot: BigBen
) -> None:
    quiet = world.channel("quiet", world.guild("Friends"), denied=SEND_MESSAGES)
    dan = world.person("Dan")
    lobby = await (await dan.types(quiet, "bigben race", {"deadline": "tonight"})).shown()
    (room,) = bot.chat.players._players[int(dan.user.id)].client.rooms.values()  # pyright: ignore[reportPrivateUsage]
    bot.chat.feed._receive(Standings(room.race, (), final=True))  # pyright: ignore[reportPrivateUsage]
    bot.chat.posts.note(structs.replace(room, phase="closed", since=room.since + 1))
    await world.changes.until(lambda: "race is over" in lobby.content, "it is edited")
    assert world.public(quiet) == [lobby]
