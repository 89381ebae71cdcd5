"""Tokens in their folder, one for each server."""

import stat
from pathlib import Path

from bigben_terminal import tokens


def test_a_token_comes_back_for_its_server_only(tmp_path: Path) -> None:
    tokens.save("wss://races.example/", "abc", tmp_path)
    assert tokens.load("WSS://races.example", tmp_path) == "abc"
    assert tokens.load("ws://races.example", tmp_path) == ""
    tokens.save("wss://races.example", "def", tmp_path)
    assert tokens.load("wss://races.example", tmp_path) == "def"
    tokens.forget("wss://races.example", tmp_path)
    tokens.forget("wss://races.example", tmp_path)
    assert tokens.load("wss://races.example", tmp_path) == ""


def test_no_address_leads_out_of_the_folder(tmp_path: Path) -> None:
    inner = tmp_path / "tokens"
    tokens.save("ws://../../x", "abc", inner)
    (file,) = inner.iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [inner]


def test_a_file_that_is_no_token_is_none(tmp_path: Path) -> None:
    tokens.save("ws://a", "abc", tmp_path)
    (file,) = tmp_path.iterdir()
    file.write_bytes(b"\xff\xfe")
    assert tokens.load("ws://a", tmp_path) == ""


def test_the_folder_is_where_the_system_keeps_state(tmp_path: Path) -> None:
    assert tokens.folder({"XDG_STATE_HOME": str(tmp_path)}) == tmp_path / "bigben" / "tokens"
    usual = Path.home() / ".local" / "state" / "bigben" / "tokens"
    assert tokens.folder({}) == tokens.folder({"XDG_STATE_HOME": "relative"}) == usual
