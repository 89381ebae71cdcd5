"""The end of a day: boards that are open, buttons that are left, and what is said of it."""

from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import TypeAlias

import pytest
from tests.discord.playing import sees_cards, taps_on
from tests.discord.running import KEY, Pace, bot_on
from tests.discord.standin.people import Channel
from tests.discord.standin.server import Discord
from tests.wire.in_process import server_here

from bigben_chat.connections.player_pool import IDLE_S
from bigben_discord.interactions.editable_message import TOKEN_TIME

Passes: TypeAlias = Callable[[], None]


@pytest.fixture
async def midnight_passes(
    world: Discord, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Passes]:
    """A server and a bot shortly before midnight, by a clock that they share."""
    now = datetime.combine(datetime.now(UTC).date(), datetime.max.time(), UTC)
    now -= timedelta(seconds=60)

    def passes() -> None:
        nonlocal now
        now += timedelta(seconds=61)

    def time_ns() -> int:
        return round(now.timestamp() * 1000) * 1_000_000

    monkeypatch.setattr("bigben_server.cli.time", SimpleNamespace(time_ns=time_ns))
    async with (
        server_here(tmp_path / "server", issuers={"discord": (KEY,)}) as server,
        bot_on(world, server, tmp_path, Pace(now=lambda: now)),
    ):
        yield passes


async def test_an_open_board_has_no_moves_after_midnight_but_todays_race(
    world: Discord, channel: Channel, midnight_passes: Passes
) -> None:
    ada = world.person("Ada")
    board = await taps_on(ada, await sees_cards(ada, channel), 3)
    (public,) = await world.changes.until(lambda: world.public(channel), "the message")
    midnight_passes()
    await world.changes.until(lambda: "Time is up" in board.content, "the board says so")
    assert "move 3" in board.content, "the end is no move"
    assert board.selects == []
    labels = ["Today’s race", "Share", "As text", "Standings", "Verify"]
    assert [button.label for button in board.buttons] == labels
    await world.changes.until(lambda: "race is over" in public.content, "the day is closed")
    assert "move 3\n" in public.content
    assert [button.label for button in public.buttons] == ["Today’s race", "Verify"]
    for message in (board, public):
        intro = await (await ada.presses(message, "Today’s race")).shown()
        assert "one try" in intro.content
        assert intro.only_for == ada.user


async def test_a_button_that_is_still_there_shows_how_it_ended(
    world: Discord, channel: Channel, midnight_passes: Passes
) -> None:
    """Discord lets a board that was not touched for a quarter of an hour change no more."""
    bob = world.person("Bob")
    board = await taps_on(bob, await sees_cards(bob, channel), 2)
    deal = board.buttons[0]
    (public,) = await world.changes.until(lambda: world.public(channel), "the message")
    world.clock.skip(TOKEN_TIME.total_seconds() + 60)
    midnight_passes()
    await world.changes.until(lambda: "race is over" in public.content, "the day is closed")
    assert "Time is up" not in board.content
    await (await bob.taps(board, deal)).shown()
    assert "Time is up" in board.content
    assert "move 2" in board.content
    assert "Today’s race" in str(board.buttons)


def test_a_connection_lasts_as_long_as_its_boards_can_be_changed() -> None:
    assert TOKEN_TIME.total_seconds() < IDLE_S
