"""A club's season on Discord: its table, its news, reminders, and who may change what."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest
from tests.discord.playing import gives_up, taps_on
from tests.discord.running import KEY, Pace, bot_on
from tests.discord.standin.commands import Given, Value
from tests.discord.standin.messages import Message
from tests.discord.standin.people import SEND_MESSAGES, Channel
from tests.discord.standin.person import Person
from tests.discord.standin.rest import Fault, Request
from tests.discord.standin.server import Discord
from tests.wire.in_process import server_here

from bigben_chat.posts.season_posts import DAY_MS, news, next_look, remind_at, to_remind
from bigben_chat.records import SeasonRecord, Wish
from bigben_discord.bot import BigBen
from bigben_protocol import Plan, Season, SeasonWeek

HOUR = 3_600_000
POST = "POST /channels/{channel_id}/messages"


# What is due


def season_of(*weeks: SeasonWeek) -> Season:
    return Season("K7QPXM2A", "discord:1", "", Plan("Autumn", "2026-10-02"), "running", weeks)


OPEN = SeasonWeek(1, 10 * DAY_MS, 13 * DAY_MS, "open", "week.K7QPXM2A.1")
CLOSED = SeasonWeek(1, 10 * DAY_MS, 13 * DAY_MS, "closed", "week.K7QPXM2A.1")
HERE = SeasonRecord(channel=5, since=9 * DAY_MS)


def test_each_week_is_news_twice_and_what_was_posted_never_again() -> None:
    (opened,) = news(season_of(OPEN), HERE)
    (closed,) = news(season_of(CLOSED), HERE)
    assert (opened.what, closed.what) == ("opened", "closed")
    posted = SeasonRecord(channel=5, posted=(opened.mark, closed.mark))
    assert news(season_of(OPEN), posted) == news(season_of(CLOSED), posted) == []


def test_weeks_that_had_closed_before_and_void_ones_are_no_news() -> None:
    assert news(season_of(CLOSED), SeasonRecord(channel=5, since=14 * DAY_MS)) == []
    assert news(season_of(CLOSED), SeasonRecord()) == [], "nowhere"
    void = SeasonWeek(1, 10 * DAY_MS, 13 * DAY_MS, "void", "week.K7QPXM2A.1")
    not_yet = SeasonWeek(2, 17 * DAY_MS, 20 * DAY_MS, "open")
    assert news(season_of(void, not_yet), HERE) == []


def test_reminders_come_a_day_before_the_close_or_halfway() -> None:
    assert remind_at(OPEN) == 12 * DAY_MS
    assert remind_at(SeasonWeek(1, 0, 2 * HOUR, "open")) == HOUR
    wish = Wish("K7QPXM2A", 7, 0, "en")
    late = Wish("K7QPXM2A", 7, 12 * DAY_MS + 1, "en")
    done = Wish("K7QPXM2A", 7, 0, "en", OPEN.race)
    week = season_of(OPEN)
    assert [*to_remind(week, wish, 12 * DAY_MS - 1)] == []
    assert [*to_remind(week, wish, 12 * DAY_MS)] == [OPEN]
    for nothing in (late, done):
        assert [*to_remind(week, nothing, 12 * DAY_MS + 2)] == []
    assert [*to_remind(week, wish, 13 * DAY_MS)] == []


def test_it_looks_again_when_something_may_be_due() -> None:
    assert next_look(season_of(OPEN), 12 * DAY_MS - 5) == 5
    assert next_look(season_of(OPEN), 13 * DAY_MS - 5) == 5
    assert next_look(season_of(CLOSED), 14 * DAY_MS) == 600_000


# With a server and a clock


@dataclass
class Club:
    """A guild whose season begins in an hour, by a clock that the server, the bot and all share."""

    world: Discord
    server: str
    folder: Path
    boss: Person
    channel: Channel
    now: datetime
    opens: datetime = field(init=False)

    def __post_init__(self) -> None:
        self.opens = (self.now + timedelta(hours=1)).replace(second=0, microsecond=0)

    def bot(self) -> AbstractAsyncContextManager[BigBen]:
        return bot_on(self.world, self.server, self.folder, Pace(now=lambda: self.now))

    def passes(self, bot: BigBen, until: datetime) -> None:
        self.now = until
        bot.chat.season_posts.poster.wake()

    async def makes_season(self, name: str = "Autumn") -> Message:
        """Of two weeks, each open for two hours."""
        closes = self.opens + timedelta(hours=2)
        given: Given = {
            "name": name,
            "weeks": 2,
            "first-day": f"{self.opens:%Y-%m-%d}",
            "opens": f"{self.opens:%a %H:%M}",
            "closes": f"{closes:%a %H:%M}",
            "timezone": "UTC",
            "counted": 2,
        }
        return await (await self.boss.types(self.channel, "bigben season new", given)).shown()

    async def news(self, count: int) -> Message:
        """The last of so many messages in the channel."""
        await self.world.changes.until(
            lambda: len(self.world.public(self.channel)) >= count, f"{count} messages"
        )
        messages = self.world.public(self.channel)
        assert len(messages) == count, [one.content for one in messages]
        return messages[-1]

    async def told(self, person: Person) -> str:
        direct = self.world.direct(person)
        return await self.world.changes.until(lambda: self.world.told(direct), "they are told")


@pytest.fixture
async def club(
    world: Discord, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Club]:
    boss = world.person("Boss")
    channel = world.channel("general", world.guild("Friends", managers=(boss,)))
    clock = Club(world, "", tmp_path, boss, channel, datetime.now(UTC))
    time = SimpleNamespace(
        time=lambda: clock.now.timestamp(),
        time_ns=lambda: round(clock.now.timestamp() * 1000) * 1_000_000,
    )
    for module in (
        "bigben_server.cli",
        "bigben_chat.connections.player_pool",
        "bigben_chat.connections.feed_connection",
    ):
        monkeypatch.setattr(f"{module}.time", time)
    monkeypatch.setattr("bigben_server.rooms.deals.weeks.LOOK_S", 0.05)
    monkeypatch.setattr("bigben_chat.posts.season_posts.SOON_S", 0.05)
    monkeypatch.setattr("bigben_chat.posts.poster.AGAIN_S", 0.05)
    async with server_here(tmp_path / "server", issuers={"discord": (KEY,)}) as server:
        clock.server = server
        yield clock


def reminders(world: Discord) -> list[Message]:
    """All that were ever sent, to anybody."""
    return [m for m in world.state.messages.values() if "not played week" in m.content]


async def plays_week(person: Person, opened: Message, moves: int) -> None:
    intro = await (await person.presses(opened, "Play")).shown()
    board = await (await person.presses(intro, "Show me the cards")).shown()
    await gives_up(person, await taps_on(person, board, moves))


async def test_two_weeks_come_to_their_people_once_whatever_is_restarted(club: Club) -> None:
    """Named so that it would format and ring, if it could."""
    world, channel = club.world, club.channel
    ada, bob = world.person("*Ada* ``` @here"), world.person("Bob")
    async with club.bot():
        made = await club.makes_season("**Autumn** @everyone")
        assert "Done" in made.content
        assert "@everyone" not in made.content, "it rings for nobody"
        assert f"News of the season go to <#{channel.id}>" in made.content
        for one in (ada, bob):
            shown = await (await one.types(channel, "bigben season table")).shown()
            assert "Week 1 of 2" in shown.content
            assert "<http://race.example/#season=" in shown.content
            assert [button.label for button in shown.buttons] == ["🔔 Remind me"]
            wished = await (await one.presses(shown, "Remind me")).shown()
            assert "direct message" in wished.content
    async with club.bot() as bot:
        club.passes(bot, club.opens)
        opened = await club.news(1)
        assert "Week 1 of 2 is open" in opened.content
        assert "In the lead" not in opened.content, "nobody has raced"
        assert f"<t:{round(club.opens.timestamp()) + 7200}:R>" in opened.content
        await plays_week(ada, opened, 3)
        shown = await (await ada.presses(opened, "Table")).shown()
        assert "*Ada" in shown.content
        assert "1 player has finished this week" in shown.content
        assert "Play this week" not in str(shown.buttons), "she has"
        shown = await (await bob.presses(opened, "Table")).shown()
        assert "Play this week" in str(shown.buttons)
    async with club.bot() as bot:
        club.passes(bot, club.opens + timedelta(hours=1))
        told = await club.told(bob)
        assert "you have not played week 1 yet" in told
        club.passes(bot, club.opens + timedelta(hours=1, minutes=1))
    async with club.bot() as bot:
        (reminder,) = reminders(world)
        await plays_week(bob, reminder, 0)
        club.passes(bot, club.opens + timedelta(hours=2, seconds=1))
        closed = await club.news(2)
        assert "Week 1 of 2 is over" in closed.content
        result, table = closed.content.split("The table")
        assert result.index("🥇") < result.index("Bob")
        assert "12 pts" in result
        assert "Week 2 of 2" in result, "and when the next one opens"
        assert "Bob" in table
        assert "\\*Ada" in result
        assert "```" not in table.replace("```\n", "").replace("\n```", "")
        assert "Bob: " in closed.picture.description
        entry: Given = {"week": 1, "player": f"discord:{ada.user.id}"}
        given = {**entry, "reason": "By mistake"}
        out = await (await club.boss.types(channel, "bigben season take-out", given)).shown()
        assert "In the lead with 12 points: **Bob**" in out.content
        back = await (await club.boss.types(channel, "bigben season put-back", entry)).shown()
        assert "In the lead with 12 points: **\\*Ada" in back.content
    # Tokens last for a day, so nobody is connected for a week.
    club.now = club.opens + timedelta(days=7)
    async with club.bot() as bot:
        opened = await club.news(3)
        assert "In the lead with 12 points: **\\*Ada" in opened.content
        club.passes(bot, club.opens + timedelta(days=7, hours=1))
        await world.changes.until(lambda: len(reminders(world)) == 3, "both are reminded")
        club.passes(bot, club.opens + timedelta(days=7, hours=2, seconds=1))
        over = await club.news(4)
        assert "Nobody raced" in over.content
        assert "The season is over. First place: **\\*Ada" in over.content
        assert len(reminders(world)) == 3


async def test_news_that_were_refused_or_lost_come_once(club: Club) -> None:
    world = club.world
    async with club.bot() as bot:
        await club.makes_season()
        quiet = replace(club.channel, denied=SEND_MESSAGES)
        world.state.channels[quiet.id] = quiet
        await world.gateway.dispatch("CHANNEL_UPDATE", quiet.payload())
        club.passes(bot, club.opens)
        told = await club.told(club.boss)
        assert "News of a season could not be posted" in told
        assert f"<#{quiet.id}>" in told
    async with club.bot() as bot:
        club.channel = await world.permit(quiet)
        assert "Week 1 of 2 is open" in (await club.news(1)).content
        # The next one arrives, but Discord's answer is an error.
        world.rest.faults.append(Fault(POST, 503, after=True))
        club.passes(bot, club.opens + timedelta(hours=2, seconds=1))
        await club.news(2)
        await world.changes.until(lambda: len(posts(world, 200)) == 3, "it is tried again")
        await club.news(2)
    complaints = [m for m in world.state.messages.values() if "could not be posted" in m.content]
    assert len(complaints) == 1


def posts(world: Discord, status: int) -> list[Request]:
    return [r for r in world.rest.requests if r.route == POST and r.status == status]


async def test_news_are_in_the_guilds_language_and_the_rest_in_the_users(club: Club) -> None:
    """And who accepts no messages is reminded of nothing, without an error."""
    world, boss, channel = club.world, club.boss, club.channel
    ada, eva = world.person("Ada"), world.person("Eva", locale="de")
    async with club.bot() as bot:
        await (await boss.types(channel, "bigben settings", {"language": "de"})).shown()
        assert "Week 1 of 2" in (await club.makes_season()).content
        shown = await (await eva.types(channel, "bigben season table")).shown()
        for said in ("Direktnachricht", "keine Erinnerungen"):
            assert said in (await (await eva.presses(shown, "Erinnere mich")).shown()).content
        assert [*bot.chat.store.all("wish", Wish)] == []
        club.passes(bot, club.opens)
        opened = await club.news(1)
        assert "Woche 1 von 2 ist offen" in opened.content
        assert "Saisonrennen, Woche 1" in opened.content
        shown = await (await eva.presses(opened, "Tabelle")).shown()
        assert "offen bis" in shown.content
        await (await ada.presses(opened, "Erinnere mich")).shown()
        world.rest.faults.append(Fault(POST, 403))
        club.passes(bot, club.opens + timedelta(hours=1))
        await world.changes.until(lambda: posts(world, 403), "it was tried")
        club.passes(bot, club.opens + timedelta(hours=2, seconds=1))
        assert "Woche 1 von 2 ist vorbei" in (await club.news(2)).content
    assert reminders(world) == []


async def test_who_manages_a_guild_makes_its_season_and_changes_what_life_breaks(
    club: Club,
) -> None:
    """Each by its own command; the server says what can't be."""
    boss, channel, ada = club.boss, club.channel, club.world.person("Ada")

    async def says(command: str, person: Person = boss, /, **given: Value) -> str:
        answer = await person.types(channel, f"bigben season {command}", given)
        return (await answer.shown()).content

    async with club.bot() as bot:
        assert "no season here yet" in await says("table", ada)
        assert "Only organisers of this group" in await says("new", ada, name="Mine")
        shown = await says("new", name="Ours")
        assert "Week 1 of 8" in shown
        assert "the best 6 results count" in shown
        for command in ("end", "post", "delete"):
            assert "Only organisers of the season can do that" in await says(command, ada)
        shown = await says("change", name="Winter", weeks=3, rules="book")
        for said in ("**Winter**", "Week 1 of 3", "Rules of the book", "the best result counts"):
            assert said in shown
        assert "like fri 18:00" in await says("change", opens="noon")
        assert "like 2026-10-09 18:00" in await says("week", week=1, opens="tomorrow")
        day = club.now.date() + timedelta(days=2)
        moved = await says("week", week=1, opens=f"{day} 12:00", closes=f"{day} 20:00")
        noon = round(datetime(day.year, day.month, day.day, 12, tzinfo=UTC).timestamp())
        assert f"<t:{noon}:f>" in moved
        for command in ("organiser", "member"):
            assert "Done" in await says(command, user=ada.user)
        assert "Done" in await says("void", week=1, reason="A test")
        nobody: Given = {"week": 2, "player": "discord:1"}
        assert "has a result" in await says("take-out", reason="Why?", **nobody)
        assert "has a result" in await says("put-back", **nobody)
        found = await ada.half_types(channel, "bigben season end", {"season": "win"}, "season")
        assert [label for label, _ in found] == ["Winter"]
        half: Given = {"week": 1, "player": "disc", "reason": "x"}
        players = await boss.half_types(channel, "bigben season take-out", half, "player")
        assert [value for _, value in players] == [f"discord:{ada.user.id}"]
        assert "go nowhere" in await says("post")
        assert f"<#{channel.id}>" in await says("post", channel=channel)
        assert "Done" in await says("leave", ada)
        assert "The season is over" in await says("end", reason="Snow")
        asked = await (await boss.types(channel, "bigben season delete")).shown()
        assert "deleted" in (await (await boss.presses(asked, "Yes, delete")).shown()).content
        assert [*bot.chat.store.all("season", SeasonRecord)] == []
