"""A close says when to reconnect, and clients reconnect more and more slowly."""

import asyncio
from pathlib import Path

import pytest
from tests.client.pauses import Pauses
from tests.support.patience import PATIENCE_S
from tests.wire.in_process import server_here

from bigben_client import Client
from bigben_protocol import LONGEST_REASON, retry_in, with_retry
from bigben_server.race import views
from bigben_server.transport.peer import reason_with_hint

MOST_HINTED_S = 1.1
"""The hint of a server that has a handful of players."""


async def test_a_client_whose_race_always_fails_reconnects_ever_more_rarely(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each connection is welcomed, and closes with 1011 as soon as the race is resumed."""
    pauses = Pauses()
    async with (
        server_here(tmp_path) as url,
        Client(url, name="Ada", backoff=pauses) as client,
        asyncio.timeout(PATIENCE_S),
    ):
        race = (await client.create(practice=True)).race
        with monkeypatch.context() as patched:
            patched.setattr(views, "record", _fail)
            patched.setattr(views, "resumed", _fail)
            asking = asyncio.create_task(client.record(race))
            while len(pauses.waited) < 6:
                await anext(client.events())
        await asking
    least = [0.25, 0.5, 1, 2, 4, 8]
    hints = [waited - own for waited, own in zip(pauses.waited, least, strict=False)]
    assert all(-1e-9 <= hint <= MOST_HINTED_S for hint in hints)
    assert max(hints) >= 0.1, "the server asked for a pause"


def _fail(*_: object) -> object:
    raise RuntimeError("a mistake of ours, for a test")


def test_a_thousand_players_are_spread_over_three_seconds() -> None:
    text = "The server restarts."
    draws = iter([0.0, 0.5, 1.0])
    reasons = [reason_with_hint(1012, text, 1000, lambda: next(draws)) for _ in range(3)]
    assert [retry_in(reason)[1] for reason in reasons] == [0.0, 1.5, 3.0]


def test_one_player_is_asked_to_wait_at_most_a_second() -> None:
    assert reason_with_hint(1013, "Wait.", 0, lambda: 1.0) == "Wait; retry in 1.0 s"


@pytest.mark.parametrize("code", [1000, 1002, 1007, 1008, 1009])
def test_closes_for_good_do_not_say_when_to_reconnect(code: int) -> None:
    assert reason_with_hint(code, "Say hello first.", 1) == "Say hello first."


@pytest.mark.parametrize("text", ["", "The server restarts.", "ä" * 200])
def test_a_hint_fits_into_any_close(text: str) -> None:
    reason = with_retry(text, 2.5)
    assert len(reason.encode()) <= LONGEST_REASON
    assert retry_in(reason)[1] == 2.5
