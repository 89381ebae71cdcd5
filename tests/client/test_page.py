"""docs/client.md is true: its example plays on a real server, and its numbers match the code."""

import re
from pathlib import Path
from types import ModuleType

import pytest
from tests.wire.in_process import server_here

from bigben_client.connection.send_rate import SendRate
from bigben_protocol import digest
from bigben_server.config import Limits

PAGE = (Path(__file__).parents[2] / "docs" / "client.md").read_text()


def example() -> ModuleType:
    """The page's front end, as a module."""
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    module = ModuleType("front_end")
    exec(compile(code, "docs/client.md", "exec"), module.__dict__)
    return module


async def test_the_example_plays_a_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async with server_here(tmp_path / "data") as url:
        await example().play(url, "Ada")
    shown = capsys.readouterr().out
    assert re.search(r"^\S.*: \d+ cards home, \d+ moves$", shown, re.MULTILINE)
    assert "resign: " in shown


def test_the_digest_of_the_page_is_the_digest() -> None:
    shown = digest({"3": (("7H", "KD"), 0), "s": ((), 56)})
    assert f"`{shown}`" in PAGE


def test_the_client_is_slower_than_the_server_allows() -> None:
    limits = Limits()
    assert f"{limits.messages_per_second} messages a second" in PAGE
    assert f"{limits.burst} at once" in PAGE
    assert f"{limits.frame_bytes // 1024} KiB" in PAGE
    pace = SendRate(clock=lambda: 0.0)
    waits = [pace.wait() for _ in range(limits.burst)]
    assert waits.count(0) < limits.burst
    assert 1 / (waits[-1] - waits[-2]) < limits.messages_per_second
    assert f"sends {1 / (waits[-1] - waits[-2]):.0f} and {waits.count(0)} at most" in PAGE
