"""A one-time link continues a player's game in the terminal."""

import time
from io import StringIO
from pathlib import Path

import pytest
from tests.support.server_process import PLATFORM_KEY
from tests.terminal.typist import Typist

from bigben_chat.connections.identity import Issuer
from bigben_client import Client
from bigben_protocol import PlayerId
from bigben_terminal.local_files import tokens
from bigben_terminal.servers.one_player import be


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


def user(server: str, player: str, name: str) -> Client:
    """A user of a platform, as its bot connects them."""
    issuer = Issuer(player.partition(":")[0], PLATFORM_KEY)
    return Client(server, token=issuer.token(PlayerId(player), name, (), time.time()))


async def test_who_has_played_from_discord_may_be_one_with_the_player_from_matrix(
    server: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))

    async def follow(player: str, name: str, answer: str) -> str:
        monkeypatch.setattr("sys.stdin", StringIO(f"{answer}\n"))
        async with user(server, player, name) as elsewhere:
            await be(server, (await elsewhere.link()).token)
        holder = tokens.holder(tokens.load(server))
        return holder.player if holder else ""

    assert await follow("discord:8035", "Zoë", "") == "discord:8035"
    assert await follow("matrix:@zo:example.org", "zo", "yes") == "discord:8035"
    shown = capsys.readouterr().out
    assert "the link is for zo (matrix:@zo:example.org)" in shown
    assert "zo belongs to Zoë now." in shown
    async with user(server, "matrix:@zo:example.org", "zo") as same:
        assert (same.player, same.name) == ("discord:8035", "Zoë")
    assert await follow("matrix:@bob:example.org", "Bob", "no") == "matrix:@bob:example.org"


async def test_a_guest_who_plays_by_a_link_is_asked_before_the_race(
    server: str, tmp_path: Path
) -> None:
    async with user(server, "discord:9", "Bell") as bell:
        race, link = (await bell.create()).race, (await bell.link()).token
    with Typist("play", race, "--server", server, "--name", "Ada", home=tmp_path) as ada:
        ada.type("quit")
        ada.ends()
    with Typist("play", race, "--server", server, "--link", link, home=tmp_path) as ada:
        ada.sees("Does the guest belong to you?")
        ada.type("no")
        ada.sees("start begins with the ready players")
        ada.type("quit")
        assert ada.ends()[0] == 0
