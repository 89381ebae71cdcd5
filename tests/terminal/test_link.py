"""A one-time link continues a player's game in the terminal."""

from pathlib import Path

from tests.terminal.typist import Typist

from bigben_client import Client


async def link_of_someone(server: str) -> tuple[str, str]:
    """A room with a player, and a one-time link for that player."""
    async with Client(server, name="Ada of Discord") as ada:
        room = await ada.create()
        return room.race, (await ada.link()).token


async def test_a_player_with_a_link_gets_the_seat_and_keeps_it(server: str, tmp_path: Path) -> None:
    race, token = await link_of_someone(server)
    for arguments in (["--link", token], []):
        with Typist("play", race, "--server", server, *arguments, home=tmp_path) as ada:
            ada.type("quit")
            code, shown = ada.ends()
        assert code == 0
        assert "start begins with the ready players" in shown, "only the host is told so"


async def test_an_invalid_link_is_refused_with_what_to_do(server: str, tmp_path: Path) -> None:
    race, token = await link_of_someone(server)
    assert play_by(token, race, server, tmp_path / "first")[0] == 0
    for bad in (token, "rubbish", f"{token}x"):
        code, shown = play_by(bad, race, server, tmp_path / "second")
        assert code == 2
        assert "get a new one" in shown
        assert "hello" not in shown


def play_by(token: str, race: str, server: str, home: Path) -> tuple[int, str]:
    """The exit code and the output for a player who uses this link and leaves again."""
    with Typist("play", race, "--server", server, "--link", token, home=home) as someone:
        someone.type("quit")
        return someone.ends()
