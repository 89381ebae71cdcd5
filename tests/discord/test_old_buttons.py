"""Every button and menu that there ever was, used when all is over by a bot that knows nothing."""

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

from tests.discord.playing import (
    gives_up,
    plays_home,
    plays_until,
    sees_cards,
    starts_alone,
    taps_on,
)
from tests.discord.running import SECRET, bot_on
from tests.discord.standin import components
from tests.discord.standin.components import Button, Select
from tests.discord.standin.messages import Message
from tests.discord.standin.people import Channel
from tests.discord.standin.person import Answer, Person
from tests.discord.standin.server import Discord
from tests.support.server_process import ServerProcess

from bigben_chat.actions.buttons import VERBS
from bigben_chat.messages.content import read_id

AGO = "daily.2024-02-29.bigben.standard"
"""A daily that nobody has ever played."""
GONE = "ZZZZZZ"
RACE = re.compile(r"daily[^:]+|\b[A-Z0-9]{6}\b")


class Control(NamedTuple):
    """What could be used under a message, once."""

    message: Message
    item: Button | Select

    async def used_by(self, person: Person, custom_id: str = "") -> Answer:
        """Use it, under another id if there is one."""
        custom_id = custom_id or self.item.custom_id
        if isinstance(self.item, Select):
            menu = Select(self.item.placeholder, custom_id, self.item.options, disabled=False)
            return await person.uses_menu(self.message, menu, menu.values[-1])
        return await person.taps(self.message, Button("old", custom_id, 1, disabled=False))


def controls(world: Discord) -> Iterator[Control]:
    """All that any message ever had, each once."""
    seen: set[str] = set()
    for message in list(world.state.messages.values()):
        for version in message.versions:
            items: list[Button | Select] = [*components.buttons(version.components)]
            items += components.selects(version.components)
            for item in items:
                if item.custom_id not in seen and not item.disabled:
                    seen.add(item.custom_id)
                    yield Control(message, item)


def told(answer: Answer) -> str:
    """What the answer says; empty while it is only promised."""
    shown = (answer.interaction.original, *answer.interaction.followups)
    return " ".join(message.content for message in shown if message)


async def evening(world: Discord, channel: Channel, ada: Person, bob: Person) -> None:
    """A daily that goes on, a room to its end, another that came to nothing."""
    board = await sees_cards(ada, channel)
    board = await plays_until(plays_home, ada, board)
    board = await taps_on(ada, board, 1)
    tried: set[str] = set()
    # A pile with one way to go goes it, and the menu is another one then.
    while len(board.selects) == 1 and (untried := set(board.selects[0].values) - tried):
        tried.add(value := min(untried))
        await (await ada.chooses(board, value)).shown()
    await (await ada.presses(board, "Give up")).shown()
    await (await ada.presses(board, "No")).shown()
    await (await ada.types(channel, "bigben board", {"look": "text"})).shown()
    lobby = await (await bob.types(channel, "bigben race", {"undo": True})).shown()
    asked = await (await bob.presses(lobby, "Start now")).shown()
    await (await bob.presses(asked, "No, wait")).shown()
    await starts_alone(bob, lobby)
    await world.changes.until(lambda: "Ends" in lobby.content, "the race has started")
    await gives_up(bob, await (await bob.presses(lobby, "My board")).shown())
    await world.changes.until(lambda: "race is over" in lobby.content, "the race has closed")
    await (await ada.types(channel, "bigben join", {"code": GONE})).shown()
    await (await ada.types(channel, "bigben forget-me")).shown()
    await (await ada.types(channel, "bigben learn")).shown()
    await (await ada.types(channel, "bigben help")).shown()
    told = await (await ada.types(channel, "bigben help")).shown()
    await (await ada.presses(told, "All commands")).shown()
    await gives_up(ada, await (await ada.types(channel, "bigben practice")).shown())
    left = await (await bob.types(channel, "bigben race")).shown()
    await (await bob.presses(left, "Leave")).shown()
    await (await bob.types(channel, "bigben race", {"opponent": ada.user})).shown()
    world.state.pings.clear()  # She is told, as she should be.
    await (await bob.types(channel, "bigben season new", {"name": "Autumn"})).shown()
    await (await bob.types(channel, "bigben season delete")).shown()


async def test_every_old_button_works_or_says_why_not(
    world: Discord, housed: ServerProcess, tmp_path: Path
) -> None:
    ada, bob, stranger = (world.person(name) for name in ("Ada", "Bob", "Stranger"))
    channel = world.channel("general", world.guild("Friends", managers=(bob,)))
    world.state.activities.enabled = True
    async with bot_on(world, housed.url, tmp_path / "before", secret=SECRET) as bot:
        await bot.chat.feed.client()  # it has heard that the server has house players
        await evening(world, channel, ada, bob)
    every = list(controls(world))
    verbs = {read_id(control.item.custom_id)[0] for control in every}
    assert verbs >= set(VERBS) - {"undo", "page", "to", "remind", "season"}, (
        "it was a whole evening"
    )
    world.state.activities.enabled = False
    async with bot_on(world, housed.url, tmp_path / "after", secret=SECRET):
        for control in every:
            owner = {ada.user: ada, bob.user: bob}.get(control.message.only_for, stranger)  # type: ignore[arg-type]  # None is nobody's
            race = RACE.search(control.item.custom_id)
            named = (race[0], GONE, AGO) if race else ("",)
            ids = [control.item.custom_id.replace(race[0] if race else "", o) for o in named]
            for custom_id in ids:
                answer = await control.used_by(owner, custom_id)
                await answer.acknowledged()
                said = await world.changes.until(partial(told, answer), custom_id)
                assert "went wrong" not in said, custom_id


async def test_play_on_a_daily_of_long_ago_leads_to_todays(
    world: Discord, server: ServerProcess, tmp_path: Path
) -> None:
    channel = world.channel("general", world.guild("Friends"))
    ada = world.person("Ada")
    async with bot_on(world, server.url, tmp_path):
        intro = await (await ada.types(channel, "bigben daily", {"rules": "book"})).shown()
        begin = Control(intro, intro.buttons[0])
        for verb in ("play", "begin"):
            old = f"bb:{verb}:daily.2024-02-29.bigben.book"
            told = await (await begin.used_by(ada, old)).shown()
            assert "This race is over" in told.content
            todays = await (await ada.presses(told, "Today’s race")).shown()
            assert "your clock starts" in todays.content
            assert "Rules of the book" in todays.content
        assert len(world.public(channel)) == 0
