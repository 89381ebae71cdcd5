"""An evening on Discord, played through: everything that it receives is as recorded.

Of boards with cards, which differ from run to run, the text and the buttons without cards.
"""

import json
import re
from collections.abc import AsyncIterator, Awaitable
from pathlib import Path
from typing import Any, Final

import pytest
from tests.discord.playing import gives_up
from tests.discord.recorded_text import recorded, settled
from tests.discord.running import KEY, bot_on
from tests.discord.standin.commands import Given
from tests.discord.standin.messages import Message
from tests.discord.standin.people import Channel
from tests.discord.standin.person import Answer, Person
from tests.discord.standin.server import SYSTEM, Discord
from tests.discord.test_room import board_of
from tests.support.server_process import UNHURRIED, serving

from bigben_discord.bot import BigBen

_CARDS: Final = re.compile(r"(?:10|[2-9AJQK])[♣♦♥♠CDHS]\b|(?:10|[2-9AJQK])[♣♦♥♠]")
_OF_CARDS: Final = ("bb:move:", "bb:from:", "bb:to:")


class Diary:
    """What people did, and what Discord then showed them."""

    def __init__(self, world: Discord) -> None:
        self.told: dict[str, Any] = {}  # Any: JSON
        self._world = world

    async def shows(self, what: str, doing: Awaitable[Answer]) -> Message:
        """Note the message that came of it."""
        return self.note(what, await (await doing).shown())

    async def follows(self, what: str, doing: Awaitable[Answer]) -> Message:
        """Note the message that came besides the answer."""
        return self.note(what, await (await doing).followed_up())

    async def until(self, message: Message, said: str, what: str) -> Message:
        """Note the message once it says this."""
        await self._world.changes.until(lambda: said in message.content, what)
        return self.note(what, message)

    def note(self, what: str, message: Message) -> Message:
        """Note what the message has now."""
        files = [(file.filename, file.description) for file in message.attachments]
        private = message.only_for is not None
        told = [message.content, _without_cards(message.components), files, private]
        text = _CARDS.sub("CARD", settled(json.dumps(told, ensure_ascii=False)))
        text = re.sub(r"CARD(?:[ ,]+CARD)+", "CARDS", text)
        assert what not in self.told
        self.told[what] = json.loads(text)
        return message


def _without_cards(rows: list[Any]) -> list[Any]:
    """The rows without what depends on the cards (Any: JSON, without the numbers of its parts)."""
    found = []
    for row in rows:
        parts = [{k: v for k, v in part.items() if k != "id"} for part in row["components"]]
        kept = [part for part in parts if not part["custom_id"].startswith(_OF_CARDS)]
        found += [kept] if kept else []
    return found


@pytest.fixture
async def bot(world: Discord, tmp_path: Path) -> AsyncIterator[BigBen]:
    """A bot on a server of its own, where nobody else has raced today."""
    settings = {**UNHURRIED, "BIGBEN_ISSUER_DISCORD_KEY": KEY}
    (tmp_path / "server").mkdir()
    with serving(tmp_path / "server", settings) as server:
        async with bot_on(world, server.url, tmp_path) as one:
            yield one


async def test_discord_receives_an_evening_as_recorded(world: Discord, bot: BigBen) -> None:
    diary = Diary(world)
    ada, bob = world.person("*Ada*"), world.person("Bob", locale="de")
    friends = world.guild("Friends_", managers=(ada,))
    channel = world.channel("general", friends)
    await world.welcome(friends)
    await _without_a_race(diary, ada, bob, channel)
    await _settings(world, diary, ada, bob, channel)
    await _daily(world, diary, ada, bob, channel)
    await _race(world, diary, ada, bob, channel)
    await _rooms(diary, ada, bob, channel)
    await _alone(diary, ada, bob, channel)
    newcomers = world.guild("Neue", locale="de")
    hall = world.channel(SYSTEM, newcomers)
    await world.welcome(newcomers)
    (hello,) = await world.changes.until(lambda: world.public(hall), "the welcome")
    diary.note("welcome", hello)
    was = recorded("evening", diary.told)
    assert sorted(diary.told) == list(was)
    for what, told in was.items():
        assert diary.told[what] == told, what


async def _without_a_race(diary: Diary, ada: Person, bob: Person, channel: Channel) -> None:
    for who, person in (("en", ada), ("de", bob)):
        page = await diary.shows(f"help {who}", person.types(channel, "bigben help"))
        page = await diary.shows(f"commands {who}", person.taps(page, page.buttons[0]))
        await diary.shows(f"game {who}", person.taps(page, page.buttons[0]))
        for command in ("move", "board", "standings", "leave", "verify", "rematch", "resign"):
            given = {"from": "3"} if command == "move" else {}
            doing = person.types(channel, f"bigben {command}", given)
            await diary.shows(f"no race: {command} {who}", doing)
        for code in ("ABCDEF", "daily.chess", "<b>*x*`"):
            doing = person.types(channel, "bigben join", {"code": code})
            await diary.shows(f"no such race {code} {who}", doing)
        wrong = {"game": "chess"}
        await diary.shows(f"no such game {who}", person.types(channel, "bigben race", wrong))
        wrong = {"game": "watch", "rules": "book"}
        await diary.shows(f"no such rules {who}", person.types(channel, "bigben daily", wrong))
        await diary.shows(f"stats {who}", person.types(channel, "bigben stats"))
        await diary.shows(f"table {who}", person.types(channel, "bigben leaderboard"))
        told = {"house": "steady"}
        await diary.shows(f"no house {who}", person.types(channel, "bigben race", told))


async def _settings(
    world: Discord, diary: Diary, ada: Person, bob: Person, channel: Channel
) -> None:
    await diary.shows("settings", ada.types(channel, "bigben settings"))
    await diary.shows("settings, not by Bob", bob.types(channel, "bigben settings"))
    direct = world.direct(ada)
    await diary.shows("settings, not here", ada.types(direct, "bigben settings"))
    for option, typed in (("time", "noon"), ("timezone", "Berlin")):
        doing = ada.types(channel, "bigben settings", {option: typed})
        await diary.shows(f"settings, wrong {option}", doing)
    wanted = {"time": "09:30", "timezone": "Europe/Berlin", "rules": "open", "language": "de"}
    await diary.shows("settings, changed", ada.types(channel, "bigben settings", wanted))
    posts = world.channel("posts", channel.guild) if channel.guild else channel
    there: Given = {"channel": posts, "rules": "standard"}
    await diary.shows("settings, post", ada.types(channel, "bigben settings", there))
    (post,) = await world.changes.until(lambda: world.public(posts), "the daily post")
    diary.note("daily post", post)
    off: Given = {"post": False, "language": "en"}
    await diary.shows("settings, no post", ada.types(channel, "bigben settings", off))
    await diary.shows("post's button", bob.taps(post, post.buttons[0]))


async def _daily(world: Discord, diary: Diary, ada: Person, bob: Person, channel: Channel) -> None:
    intro = await diary.shows("daily", ada.types(channel, "bigben daily"))
    await diary.shows("not begun", ada.types(channel, "bigben board"))
    await diary.shows("no move yet", ada.types(channel, "bigben move", {"from": "3"}))
    board = await diary.shows("daily's board", ada.presses(intro, "Show me the cards"))
    (public,) = await world.changes.until(lambda: world.public(channel), "the race's message")
    diary.note("daily's message", public)
    await diary.shows("as text", ada.presses(board, "As text"))
    await diary.shows("as a picture", ada.presses(board, "As a picture"))
    await diary.shows("no pile", ada.types(channel, "bigben move", {"from": "99"}))
    await diary.shows("no undo", ada.types(channel, "bigben undo"))
    await diary.shows("no hint", ada.types(channel, "bigben hint"))
    await diary.shows("not over", ada.types(channel, "bigben share"))
    await diary.shows("verify early", ada.types(channel, "bigben verify"))
    await diary.shows("analyse early", ada.types(channel, "bigben analyse"))
    await diary.shows("leave too late", ada.types(channel, "bigben leave"))
    latest = await diary.shows("hints", ada.types(channel, "bigben board", {"hints": True}))
    sure = await diary.shows("sure?", ada.presses(latest, "Give up"))
    await diary.shows("not sure", ada.presses(sure, "No, keep playing"))
    over = await gives_up(ada, latest)
    diary.note("given up", over)
    await diary.until(public, "🏳️", "daily's message, given up")
    await diary.shows("share", ada.presses(over, "Share"))
    copied = await diary.shows("share typed", ada.types(channel, "bigben share"))
    await diary.shows("share posted", ada.presses(copied, "Post it here"))
    await diary.shows("standings", ada.types(channel, "bigben standings"))
    await diary.shows("nothing to play", ada.types(channel, "bigben move", {"from": "3"}))
    for by in ("daily", "weekly"):
        doing = bob.types(channel, "bigben leaderboard", {"scope": by, "group": "here"})
        await diary.shows(f"leaderboard {by}", doing)
    await diary.shows("link", ada.types(channel, "bigben link"))


async def _race(world: Discord, diary: Diary, ada: Person, bob: Person, channel: Channel) -> None:
    lobby = await diary.shows("race", ada.types(channel, "bigben race", {"minutes": 5}))
    await diary.shows("not joined", bob.presses(lobby, "Ready"))
    await diary.shows("joined", bob.presses(lobby, "Join"))
    await diary.shows("not the host", bob.presses(lobby, "Start"))
    asked = await diary.shows("start?", ada.presses(lobby, "Start"))
    await diary.shows("wait", ada.presses(asked, "wait"))
    waiting = await diary.follows("ready", bob.presses(lobby, "Ready"))
    await diary.shows("unready", bob.presses(lobby, "Ready"))
    await diary.until(waiting, "nicht mehr bereit", "no longer ready")
    await (await bob.presses(lobby, "Ready")).followed_up()
    await diary.shows("left out?", bob.types(channel, "bigben board"))
    await (await ada.presses(lobby, "Ready")).followed_up()
    await diary.until(lobby, "Ends", "running")
    boards = [await board_of(world, person, channel) for person in (ada, bob)]
    diary.note("Bob's board", boards[1])
    over = await gives_up(ada, await (await ada.presses(lobby, "My board")).shown())
    diary.note("over for one", over)
    asked = await (await bob.taps(boards[1], boards[1].button("Aufgeben"))).shown()
    await (await bob.taps(asked, asked.buttons[0])).shown()
    await diary.until(lobby, "race is over", "closed")
    await world.changes.until(lambda: "✅" in boards[1].content, "the verdict")
    diary.note("verdict", boards[1])
    await diary.shows("verify", bob.presses(lobby, "Verify"))
    await diary.shows("board is over", ada.types(channel, "bigben board"))
    again = await diary.shows("rematch", ada.presses(lobby, "Rematch"))
    await diary.shows("joined again", bob.presses(lobby, "Rematch"))
    await diary.shows("left again", ada.presses(again, "Leave"))
    await diary.shows("too late", world.person("Cy").types(channel, "bigben board"))


async def _rooms(diary: Diary, ada: Person, bob: Person, channel: Channel) -> None:
    wanted: Given = {"who": "here", "undo": True, "game": "watch"}
    await diary.shows("invited only", ada.types(channel, "bigben race", wanted))
    wanted = {"deadline": "3d", "winnable": True}
    own = await diary.shows("deadline", bob.types(channel, "bigben race", wanted))
    await diary.shows("deadline's intro", ada.presses(own, "Play"))
    await diary.shows("deadline not begun", ada.types(channel, "bigben resign"))
    await diary.shows("left", ada.types(channel, "bigben leave"))
    wanted = {"deadline": "3d", "house": "steady"}
    await diary.shows("no house by then", bob.types(channel, "bigben race", wanted))
    room = await diary.shows("another", ada.types(channel, "bigben race", {"rules": "book"}))
    found = re.search(r"[A-Z0-9]{6}", room.content)
    assert found
    await diary.shows("seated", bob.types(channel, "bigben join", {"code": found[0].lower()}))
    await diary.shows("left by typing", bob.types(channel, "bigben leave"))


async def _alone(diary: Diary, ada: Person, bob: Person, channel: Channel) -> None:
    board = await diary.shows("practice", bob.types(channel, "bigben practice"))
    await diary.shows("undo nothing", bob.types(channel, "bigben undo"))
    await diary.shows("practice as text", bob.presses(board, "Als Text"))
    page = await diary.shows("lesson", bob.types(channel, "bigben learn"))
    for number in range(1, 100):
        if len(page.buttons) != 1:
            break
        page = await diary.shows(f"lesson {number}", bob.taps(page, page.buttons[0]))
    await diary.shows("lesson, played on", bob.taps(page, page.buttons[1]))
    asked = await diary.shows("forget me", ada.types(channel, "bigben forget-me"))
    await diary.shows("not forgotten", ada.taps(asked, asked.buttons[1]))
    asked = await (await ada.types(channel, "bigben forget-me")).shown()
    await diary.shows("forgotten", ada.taps(asked, asked.buttons[0]))
