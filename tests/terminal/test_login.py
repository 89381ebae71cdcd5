"""A login in the terminal: what a login service may answer, and what is said then.

The end of a login, on the page and with the real bot, is in `tests/web/test_login.py`.
"""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from tests.terminal.command import bigben_here, complaint

from bigben_client import Client
from bigben_terminal.complaint import Complaint
from bigben_terminal.local_files import tokens
from bigben_terminal.servers.login_service import Forgotten, LoginService
from bigben_terminal.servers.one_player import be

Json = dict[str, Any]
"""What JSON may hold."""
CODE: Json = {
    "device_code": "only the terminal knows it",
    "user_code": "BCDF-GHJK",
    "verification_uri": "https://race.example/#device",
    "expires_in": 60,
    "interval": 5,
}


@contextmanager
def answering(*answers: Json) -> Iterator[str]:
    """A service that is asked whether there is a login, for a code, and then answers so."""
    waiting: list[Json] = [{"application": "1"}, CODE, *answers]

    class Service(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            answer = waiting.pop(0)
            body = json.dumps(answer).encode()
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self.send_response(400 if {"error", "code"} & set(answer) else 200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_POST = do_GET  # http.server calls it so

        def log_message(self, format: str, *args: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Service) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield f"ws://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()
    assert waiting == []


def waited(*answers: Json) -> tuple[str, list[float]]:
    """The link that these answers lead to, and the pauses before them."""
    pauses: list[float] = []
    with answering(*answers) as server:
        service = LoginService(server, pause=pauses.append)
        return service.wait(service.begin("bigben-terminal/1")), pauses


def error(name: str) -> Json:
    return {"error": name}


def test_a_terminal_waits_for_its_player_and_slower_if_it_is_told_to() -> None:
    pending, slower = error("authorization_pending"), error("slow_down")
    link, pauses = waited(pending, slower, pending, {"token": "a link", "player": "discord:1"})
    assert link == "a link"
    assert pauses == [5, 5, 10, 10]


def test_a_login_that_is_refused_or_forgotten_or_too_late_says_so() -> None:
    with pytest.raises(Complaint, match="refused on the page"):
        waited(error("access_denied"))
    with pytest.raises(Forgotten):  # long before its time is over
        waited(error("authorization_pending"), error("expired_token"))
    pending = error("authorization_pending")
    for late in ([pending] * 12, [*[pending] * 10, error("expired_token")]):
        with pytest.raises(Complaint, match="nobody has confirmed"):
            waited(*late)
    with pytest.raises(Complaint, match="Too many"):
        waited({"code": "often", "text": "Too many logins come from your network right now."})


async def test_a_guest_who_is_not_tied_is_found_by_their_name_as_before(
    server: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also if the account has the same name, and the server says no."""
    monkeypatch.setenv("XDG_STATE_HOME", str(home))
    monkeypatch.setattr("builtins.input", lambda _: "yes")
    async with Client(server, name="Ada") as guest, Client(server, name="Ada") as account:
        tokens.save(server, guest.token, "Ada")
        with pytest.raises(Complaint, match="Sign in first"):
            await be(server, (await account.link()).token)
        for name, player in (("Ada", guest.player), ("", account.player)):
            assert tokens.holder(tokens.load(server, name)) == (player, "Ada")


async def test_a_server_without_a_login_says_so(server: str, home: Path) -> None:
    assert "this server has no login" in complaint("login", server)
    assert "can’t be reached" in complaint("login", "ws://127.0.0.1:9")
    assert "is not the address of a server" in complaint("login", "ftp://race.example")


async def test_a_player_is_forgotten_by_all_their_names(server: str, tmp_path: Path) -> None:
    async with Client(server, name="Ada") as ada, Client(server, name="Bob") as bob:
        assert tokens.holder(ada.token) == (ada.player, "Ada")
        tokens.save(server, bob.token, "Bob", where=tmp_path)
        tokens.save(server, ada.token, "Ada", "Augusta", where=tmp_path)
        tokens.forget_player(server, ada.player, where=tmp_path)
        kept = [tokens.load(server, name, tmp_path) for name in ("", "Ada", "Augusta", "Bob")]
        assert kept == ["", "", "", bob.token]
    assert tokens.holder("no token") is None


def test_a_guest_is_forgotten_only_after_a_yes(
    server: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(home))
    assert "nobody is logged in" in complaint("logout", server)
    assert bigben_here("groups", "--server", server, "--name", "Ada").returncode == 0
    assert "nobody can play as Ada again" in bigben_here("logout", server).stdout
    assert tokens.load(server, "Ada")
    done = bigben_here("logout", server, "--everywhere", stdin=b"yes\n")
    assert "Ada is logged out everywhere" in done.stdout
    assert not tokens.load(server)


async def test_a_guest_who_is_kept_apart_is_found_by_their_name(
    server: str, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(home))
    monkeypatch.setattr("sys.stdin", StringIO("no\n"))
    async with Client(server, name="Ada") as guest, Client(server, name="Ada") as account:
        tokens.save(server, guest.token, "Ada")
        await be(server, (await account.link()).token)
        assert "Ada stays a player apart: bigben play" in capsys.readouterr().out
        holders = [tokens.holder(tokens.load(server, name)) for name in ("", "Ada")]
        assert holders == [(account.player, "Ada"), (guest.player, "Ada")]
