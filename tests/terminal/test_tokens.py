"""Tokens in their folder, one for each server."""

import stat
from pathlib import Path

from bigben_terminal.local_files import tokens


def test_a_token_comes_back_for_its_server_only(tmp_path: Path) -> None:
    tokens.save("wss://races.example/", "abc", where=tmp_path)
    assert tokens.load("WSS://races.example", where=tmp_path) == "abc"
    assert tokens.load("ws://races.example", where=tmp_path) == ""
    tokens.save("wss://races.example", "def", where=tmp_path)
    assert tokens.load("wss://races.example", where=tmp_path) == "def"
    tokens.forget("wss://races.example", where=tmp_path)
    tokens.forget("wss://races.example", where=tmp_path)
    assert tokens.load("wss://races.example", where=tmp_path) == ""


def test_every_name_has_a_token_and_no_name_means_the_last_player(tmp_path: Path) -> None:
    tokens.save("ws://a", "of Ada", "Ada", where=tmp_path)
    tokens.save("ws://a", "of Bob", "Bob", "Robert", where=tmp_path)
    names = ("ada", " ADA", "Bob", "robert", "", "Cy")
    kept = [tokens.load("ws://a", name, tmp_path) for name in names]
    assert kept == ["of Ada", "of Ada", "of Bob", "of Bob", "of Bob", ""]
    tokens.forget("ws://a", "Bob", tmp_path)
    assert tokens.load("ws://a", "bob", tmp_path) == ""
    assert tokens.load("ws://a", "Robert", tmp_path) == "of Bob"


def test_a_name_may_have_any_characters(tmp_path: Path) -> None:
    for name in ("..", "/etc/passwd", "春" * 32, "\ud800", "\0"):
        tokens.save("ws://a", name.encode("unicode-escape").hex(), name, where=tmp_path)
        assert tokens.load("ws://a", name, tmp_path) == name.encode("unicode-escape").hex()
    assert {file.parent for file in tmp_path.rglob("*")} == {tmp_path}


def test_no_address_leads_out_of_the_folder(tmp_path: Path) -> None:
    inner = tmp_path / "tokens"
    tokens.save("ws://../../x", "abc", where=inner)
    (file,) = inner.iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [inner]


def test_a_file_that_is_not_a_token_is_ignored(tmp_path: Path) -> None:
    tokens.save("ws://a", "abc", where=tmp_path)
    (file,) = tmp_path.iterdir()
    file.write_bytes(b"\xff\xfe")
    assert tokens.load("ws://a", where=tmp_path) == ""


def test_the_folder_is_where_the_system_keeps_state(tmp_path: Path) -> None:
    assert tokens.folder({"XDG_STATE_HOME": str(tmp_path)}) == tmp_path / "bigben" / "tokens"
    usual = Path.home() / ".local" / "state" / "bigben" / "tokens"
    assert tokens.folder({}) == tokens.folder({"XDG_STATE_HOME": "relative"}) == usual
