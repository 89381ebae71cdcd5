"""What a bot counts on any platform."""

import logging
from typing import NoReturn

import pytest
from prometheus_client import generate_latest
from tests.chat.text_platform import TextAnswer, TextPlatform, Writer
from tests.support.scraping import figures_in

from bigben_chat.chat import Chat
from bigben_chat.metrics import REGISTRY
from bigben_chat.platform import Away, Gone, NotAllowed, PlatformError
from bigben_chat.retries import Limited, NoAnswer, Retries


def figures() -> dict[str, float]:
    """As Prometheus would read them; without those of 0."""
    return figures_in(generate_latest(REGISTRY).decode())


def counted_since(before: dict[str, float], name: str) -> dict[str, float]:
    """By how much the figures with this name have grown, by their labels."""
    found = figures()
    grown = {one: found[one] - before.get(one, 0) for one in found if one.startswith(name)}
    return {one.removeprefix(name): count for one, count in grown.items() if count}


async def _mistake(chat: Chat, answer: TextAnswer) -> NoReturn:
    raise ValueError("a mistake of the bot's")


async def test_requests_are_counted_by_how_they_end(
    chat: tuple[Chat, TextPlatform], caplog: pytest.LogCaptureFixture
) -> None:
    before, ada = figures(), Writer(*chat, "Ada")
    board = await ada.chooses(await ada.says("daily"), "Show me the cards")
    await ada.says("verify NOSUCH")
    with caplog.at_level(logging.CRITICAL):
        await ada.types(_mistake)
    await ada.chooses(board, "Give up")
    assert counted_since(before, "bigben_bot_requests_total") == {
        "{command,done}": 1,
        "{command,refused}": 1,
        "{command,failed}": 1,
        "{control,done}": 2,
    }
    assert counted_since(before, "bigben_bot_answer_seconds_count") == {"": 5}


async def test_who_plays_and_what_is_connected_is_measured(
    chat: tuple[Chat, TextPlatform],
) -> None:
    ada, bob = Writer(*chat, "Ada"), Writer(*chat, "Bob")
    await ada.chooses(await ada.says("daily"), "Show me the cards")
    await bob.says("daily")
    found = figures()
    assert found["bigben_bot_players"] == 2
    assert found["bigben_bot_boards"] == 1
    assert found["bigben_bot_connected{server}"] == found["bigben_bot_connected{platform}"] == 1
    await chat[0].players.close()
    assert "bigben_bot_players" not in figures()


async def test_what_a_platform_refuses_is_counted_by_the_reason() -> None:
    before, platform = figures(), Retries()
    refusals = [Limited(0), NotAllowed(), Limited(0), Gone(), PlatformError(), NoAnswer()]

    async def ask() -> str:
        if refusals:
            raise refusals.pop(0)
        return "done"

    for error in (NotAllowed, Gone, PlatformError, Away):
        with pytest.raises(error):
            await platform.until_answered(ask, "send", twice=False)
    assert not platform.reached
    assert await platform.until_answered(ask, "send") == "done"
    assert platform.reached
    assert counted_since(before, "bigben_bot_platform_refusals_total") == {
        "{limit}": 2,
        "{not_allowed}": 1,
        "{gone}": 1,
        "{other}": 1,
        "{away}": 1,
    }
