"""The daily post: when it is due, and what it says."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest
from tests.discord.playing import gives_up, home, plays_until, sees_cards, taps_on
from tests.discord.running import KEY, Pace, bot_on, logged
from tests.discord.slow_wire import slow_wire
from tests.discord.standin.people import SEND_MESSAGES, Channel
from tests.discord.standin.person import Person
from tests.discord.standin.rest import Fault
from tests.discord.standin.server import Discord
from tests.support.server_process import ServerProcess
from tests.wire.in_process import server_here

from bigben_chat.posts.daily_post import is_due, moment_on, next_at
from bigben_chat.records import GroupRecord
from bigben_chat.store import Store
from bigben_chat.texts import say_in
from bigben_discord.bot import BigBen
from bigben_discord.interactions.markdown import markdown

POST = "POST /channels/{channel_id}/messages"


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


BERLIN = GroupRecord(channel=1, time="08:00", zone="Europe/Berlin", posted="2026-11-20")


@pytest.mark.parametrize(
    ("zone", "hour", "moment"),
    [
        ("UTC", "08:00", "2026-11-21 08:00"),
        ("Europe/Berlin", "08:00", "2026-11-21 07:00"),
        ("Europe/Berlin", "00:30", "2026-11-21 23:30"),
        ("Pacific/Kiritimati", "08:00", "2026-11-21 18:00"),
        ("America/Los_Angeles", "20:00", "2026-11-21 04:00"),
    ],
)
def test_every_day_of_the_race_has_one_moment(zone: str, hour: str, moment: str) -> None:
    guild = GroupRecord(channel=1, time=hour, zone=zone)
    assert moment_on(guild, date(2026, 11, 21)) == at(moment)


def test_the_clock_may_change_on_that_day() -> None:
    # In Berlin 02:30 came twice on 25 October 2026, and never on 29 March.
    guild = GroupRecord(channel=1, time="02:30", zone="Europe/Berlin")
    for day in (date(2026, 10, 25), date(2026, 3, 29)):
        assert moment_on(guild, day).date() == day


def test_a_zone_that_is_there_no_more_is_utc() -> None:
    guild = GroupRecord(channel=1, time="02:30", zone="Atlantis/Centre")
    assert moment_on(guild, date(2026, 11, 21)) == at("2026-11-21 02:30")


def test_a_post_is_due_from_its_hour_on_and_once() -> None:
    assert not is_due(BERLIN, at("2026-11-21 06:59"))
    assert is_due(BERLIN, at("2026-11-21 07:00"))
    assert is_due(BERLIN, at("2026-11-21 23:00")), "after an outage it comes late, but it comes"
    done = GroupRecord(channel=1, time="08:00", zone="Europe/Berlin", posted="2026-11-21")
    assert not is_due(done, at("2026-11-21 23:00"))


def test_the_first_post_comes_at_once_and_none_without_a_channel() -> None:
    assert is_due(GroupRecord(channel=1, time="23:59"), at("2026-11-21 00:01"))
    assert not is_due(GroupRecord(), at("2026-11-21 12:00"))
    assert next_at(GroupRecord(), at("2026-11-21 12:00")) is None


def test_the_next_look_is_at_the_next_hour_of_posting() -> None:
    assert next_at(BERLIN, at("2026-11-21 06:00")) == at("2026-11-21 07:00")
    assert next_at(BERLIN, at("2026-11-21 07:00")) == at("2026-11-22 07:00")


async def posted(world: Discord, channel: Channel, count: int = 1) -> str:
    """What the newest of so many posts says."""

    def look() -> str:
        messages = world.public(channel)
        return messages[-1].content if len(messages) >= count else ""

    return await world.changes.until(look, f"{count} posts")


async def settle(channel: Channel, boss: Person) -> None:
    """Choose the channel of the daily post."""
    await (await boss.types(channel, "bigben settings", {"channel": channel})).shown()


async def test_the_post_has_todays_race_and_a_button(world: Discord, bot: BigBen) -> None:
    boss = world.person("Boss")
    channel = world.channel("general", world.guild("Friends", managers=(boss,)))
    await settle(channel, boss)
    text = await posted(world, channel)
    assert "Yesterday" not in text, "in the first post there was none"
    assert text.startswith("### 🕰️ Daily race")
    assert "Big Ben" in text
    (message,) = world.public(channel)
    ada = world.person("Ada")
    intro = await (await ada.presses(message, "Play")).shown()
    await (await ada.presses(intro, "Show me the cards")).shown()
    await world.changes.until(
        lambda: "**Ada**" in message.content, "the post is the race's message"
    )
    assert "Daily race" in message.content
    assert world.public(channel) == [message]


async def test_a_podium_is_of_the_guilds_own_players(world: Discord, bot: BigBen) -> None:
    friends = world.guild("Freunde", locale="de")
    channel = world.channel("rennen", friends)
    other = world.channel("other", world.guild("Others"))
    racers = [world.person(name) for name in ("Eins", "Zwei", "Drei", "Vier")]
    for number, racer in enumerate(racers):
        board = await sees_cards(racer, channel)
        board = await taps_on(racer, board, 4 - number)
        await gives_up(racer, board)
    stranger = world.person("Stranger")
    await gives_up(stranger, await sees_cards(stranger, other))
    today, german = datetime.now(UTC).date(), say_in("de")
    podium = await bot.chat.daily_posts.podium(int(friends.id), GroupRecord(), today, german)
    head = markdown(podium)
    assert head.startswith("### 🏆 Gestern")
    assert "🥇" in head
    assert sum(f"**{racer.name}**" in head for racer in racers) == 3
    assert "Stranger" not in head
    assert "1 weitere" in head


async def test_the_settings_say_that_the_bot_may_not_post_in_a_channel(
    world: Discord, bot: BigBen
) -> None:
    boss = world.person("Boss")
    friends = world.guild("Friends", managers=(boss,))
    quiet = world.channel("quiet", friends, denied=SEND_MESSAGES)
    await world.welcome(friends)
    answer = await boss.types(quiet, "bigben settings", {"channel": quiet})
    assert "not allowed to write" in (await answer.shown()).content
    await world.changes.until(
        lambda: [r for r in world.rest.requests if r.route == POST and r.status == 403],
        "the bot has tried",
    )


async def test_a_post_that_was_refused_comes_once_it_is_allowed(
    world: Discord, bot: BigBen
) -> None:
    boss = world.person("Boss")
    friends = world.guild("Friends", managers=(boss,))
    quiet = world.channel("quiet", friends, denied=SEND_MESSAGES)
    await world.welcome(friends)
    await settle(quiet, boss)
    direct = world.direct(boss)
    # Who chose the channel is told, once, by the first refusal.
    told = await world.changes.until(lambda: world.told(direct), "Boss is told")
    assert f"<#{quiet.id}>" in told
    assert "**Friends**" in told
    assert "see that place and send messages in it" in told
    await (await boss.types(quiet, "bigben settings", {"time": "09:00"})).shown()
    refused = len([r for r in world.rest.requests if r.route == POST and r.status == 403])
    assert refused <= 2
    open_now = await world.permit(quiet)
    assert "Daily race" in await posted(world, open_now)
    assert world.told(direct) == told


async def test_a_refused_post_is_tried_again_after_a_restart(
    world: Discord, server: ServerProcess, tmp_path: Path
) -> None:
    boss = world.person("Boss")
    friends = world.guild("Friends", managers=(boss,))
    quiet = world.channel("quiet", friends, denied=SEND_MESSAGES)
    async with bot_on(world, server.url, tmp_path):
        await settle(quiet, boss)
        await world.changes.until(
            lambda: any("could not be posted" in m.content for m in world.state.messages.values()),
            "somebody is told",
        )
    open_now = replace(quiet, denied=0)
    world.state.channels[quiet.id] = open_now
    async with bot_on(world, server.url, tmp_path):
        assert "Daily race" in await posted(world, open_now)


async def test_the_user_who_chose_a_deleted_channel_is_told(world: Discord, bot: BigBen) -> None:
    boss = world.person("Boss", locale="de")
    friends = world.guild("Freunde", locale="de", managers=(boss,))
    channel = world.channel("general", friends)
    await world.welcome(friends)
    direct = world.direct(boss)
    del world.state.channels[channel.id]
    await settle(channel, boss)
    told = await world.changes.until(lambda: world.told(direct), "Boss is told")
    assert "Den Ort dafür gibt es nicht mehr" in told


async def test_a_post_that_the_server_keeps_waiting_is_made_when_it_is_back(
    world: Discord, server: ServerProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bigben_chat.posts.poster.AGAIN_S", 0.05)
    boss = world.person("Boss")
    channel = world.channel("general", world.guild("Friends", managers=(boss,)))
    async with (
        slow_wire(server.port) as wire,
        bot_on(world, wire.url, tmp_path) as bot,
    ):
        await (await boss.types(channel, "bigben stats")).shown()
        wire.hold()
        bot.chat.daily_posts.poster.server_patience = 0.5
        with logged("bigben_chat.posts.poster", "waits") as waits:
            await settle(channel, boss)
            # While it waits, somebody changes the settings.
            await (await boss.types(channel, "bigben settings", {"language": "de"})).shown()
            await waits.wait()
        bot.chat.daily_posts.poster.server_patience = 30
        wire.let_go()
        assert "Tagesrennen" in await posted(world, channel)


@pytest.mark.parametrize("made", [False, True])
async def test_a_post_that_discord_may_have_lost_is_made_once(
    world: Discord,
    server: ServerProcess,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    made: bool,
) -> None:
    """Its answer is an error, whether or not there is a message now."""
    monkeypatch.setattr("bigben_chat.posts.poster.AGAIN_S", 0.05)
    boss = world.person("Boss")
    channel = world.channel("general", world.guild("Friends", managers=(boss,)))
    # Not one of those that discord.py itself tries again.
    world.rest.faults.append(Fault(POST, 503, after=made))
    async with bot_on(world, server.url, tmp_path):
        await settle(channel, boss)
        await world.changes.until(
            lambda: [r for r in world.rest.requests if r.route == POST and r.status == 200],
            "it is made",
        )
        assert "Daily race" in await posted(world, channel)
    assert len(world.public(channel)) == 1


async def test_one_guilds_trouble_is_not_the_others(
    world: Discord, server: ServerProcess, tmp_path: Path
) -> None:
    boss = world.person("Boss")
    channel = world.channel("general", world.guild("Friends", managers=(boss,)))
    store = Store(tmp_path / "discord.sqlite")
    # As an older bot may have left it, or a newer one.
    store.put("guild", "everywhere", GroupRecord(channel=1))
    store.put("guild", 2, GroupRecord(channel=2, rules="of-yesterday"))
    store.close()
    async with bot_on(world, server.url, tmp_path):
        await settle(channel, boss)
        assert "Daily race" in await posted(world, channel)


async def test_the_post_stands_in_place_of_an_older_message_of_the_race(
    world: Discord, bot: BigBen
) -> None:
    boss = world.person("Boss")
    channel = world.channel("general", world.guild("Friends", managers=(boss,)))
    board = await sees_cards(boss, channel)
    (old,) = await world.changes.until(lambda: world.public(channel), "a message")
    await settle(channel, boss)
    await world.changes.until(lambda: old.deleted, "it makes room")
    (new,) = world.public(channel)
    assert "Daily race" in new.content
    assert "**Boss**" in new.content
    await taps_on(boss, board, 1)
    await world.changes.until(lambda: "move 1 " in new.content, "it is the race's message now")


async def test_the_next_day_has_a_post_with_the_podium_of_the_day_before(
    world: Discord, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From a day to the next, by a clock that the server, the bot and the test share."""
    day = datetime.now(UTC).date()
    midnight = datetime(day.year, day.month, day.day, tzinfo=UTC) + timedelta(days=1)
    now = midnight - timedelta(seconds=90)
    monkeypatch.setattr(
        "bigben_server.cli.time",
        SimpleNamespace(time_ns=lambda: round(now.timestamp() * 1000) * 1_000_000),
    )
    people = boss, ada, bob = [world.person(name) for name in ("Boss", "Ada", "Bob")]
    friends = world.guild("Friends", managers=(boss,))
    channel = world.channel("general", friends)
    issuers = {"discord": (KEY,)}
    async with (
        server_here(tmp_path / "server", issuers=issuers) as server,
        bot_on(world, server, tmp_path, Pace(now=lambda: now)) as bot,
    ):
        await (await boss.types(channel, "bigben settings", {"time": "01:00"})).shown()
        await settle(channel, boss)
        first = await posted(world, channel)
        assert f"{day.day} {day:%B} {day.year}" in first.split("Daily race")[1]
        (message,) = world.public(channel)
        boards = {person: await sees_cards(person, channel) for person in people}
        boards[ada] = await plays_until(lambda board: home(board) > 12, ada, boards[ada])
        await gives_up(ada, boards[ada])
        await gives_up(bob, boards[bob])

        # The day ends, for Boss in the middle of the game.
        now = midnight + timedelta(seconds=1)
        await world.changes.until(lambda: "race is over" in message.content, "the day is closed")
        assert message.content.index("🥇") < message.content.index("**Ada**")
        assert "**Boss** ⌛" in message.content
        assert len(world.public(channel)) == 1, "its hour has not come"

        now = midnight + timedelta(hours=1)
        bot.chat.daily_posts.poster.wake()
        second = await posted(world, channel, count=2)
        podium, today = second.split("Daily race")
        assert f"Yesterday, {day.day} {day:%B} {day.year}" in podium
        assert podium.index("🥇") < podium.index("**Ada**") < podium.index("**Bob**")
        assert "**Boss**" in podium
        assert f"{midnight.day} {midnight:%B} {midnight.year}" in today
        assert "**Ada**" not in today


async def test_after_a_restart_there_is_no_second_post(
    world: Discord, server: ServerProcess, tmp_path: Path
) -> None:
    boss = world.person("Boss")
    channel = world.channel("general", world.guild("Friends", managers=(boss,)))
    async with bot_on(world, server.url, tmp_path):
        await settle(channel, boss)
        await posted(world, channel)
        # One more answer: by now the bot has heard that its post was taken.
        await (await boss.types(channel, "bigben settings")).shown()
    async with bot_on(world, server.url, tmp_path):
        # Settings wake the posts once more; this one is not due, and its channel stays.
        changed = await boss.types(channel, "bigben settings", {"time": "00:00"})
        await changed.shown()
        await sees_cards(boss, channel)
        (message,) = world.public(channel)
        await world.changes.until(lambda: "**Boss**" in message.content, "the same message")
    assert len(world.public(channel)) == 1
