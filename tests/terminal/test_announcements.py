"""What the operator announces, and a ban, at a terminal."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.operator import order
from tests.support.server_process import ServerProcess, serving
from tests.support.torture import tortured
from tests.terminal.typist import Typist


@pytest.fixture
def own(tmp_path: Path) -> Iterator[ServerProcess]:
    """A server of one's own, because an announcement is for all who play."""
    with serving(tmp_path / "own") as server:
        yield server


@pytest.mark.parametrize("plain", [(), *tortured(("--plain",))])
def test_an_announcement_is_a_line_and_a_ban_ends_the_game(
    own: ServerProcess, home: Path, plain: tuple[str, ...]
) -> None:
    order(own.data, "announce", "Back at 20:00.")
    options = ("--practice", "--server", own.url, "--name", "Ada", *plain)
    with Typist("play", *options, home=home) as ada:
        ada.sees("From the operator of this server: Back at 20:00.")
        ada.type("turn")
        order(own.data, "announce", "Now.")
        ada.sees("From the operator of this server: Now.")
        (player,) = order(own.data, "status")["processes"][0]["figures"]["front_ends"].values()
        assert player == 1
        order(own.data, "ban", "127.0.0.1", "--reason", "Be kind")
        ada.sees("You may not play here until ")
        assert "Be kind." in ada.ends()[1]
