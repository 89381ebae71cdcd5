"""``bigben config``, and the line of the log about a start: what is in force, and no secret."""

import json
import os
from typing import Final

import pytest

from bigben_server import config
from bigben_server.startup.command_line import config as config_command
from bigben_server.startup.in_force import differing, without_password
from bigben_server.startup.life import log_start, span
from bigben_server.storage.race_log import Store

KEY: Final = "the-key-that-nobody-may-read-" * 2
SECRETS: Final = {
    "BIGBEN_SECRET": KEY,
    "BIGBEN_SECRET_OLD": KEY,
    "BIGBEN_ISSUER_DISCORD_KEY": KEY,
    "BIGBEN_ISSUER_DISCORD_KEY_OLD": KEY,
    "BIGBEN_ISSUER_MY_CLUB_KEY": KEY,
    "BIGBEN_REDIS_URL": f"redis://ada:{KEY}@db:6379/0",
}


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in os.environ:
        if name.startswith("BIGBEN_"):
            monkeypatch.delenv(name)


def shown(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, dict[str, str]]:
    assert config_command([*words, "--json"]) == 0
    told: dict[str, dict[str, str]] = json.loads(capsys.readouterr().out)
    return told


def test_every_setting_is_shown_with_where_it_comes_from(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("BIGBEN_PORT", "9000")
    monkeypatch.setenv("BIGBEN_TRUSTED", "10.0.0.1/8, ::1")
    told = shown(capsys, "--host", "0.0.0.0", "--workers", "2")
    assert told.keys() == {*config.VARIABLES, "--workers"}
    assert told["BIGBEN_HOST"] == {"value": "0.0.0.0", "from": "option --host"}
    assert told["BIGBEN_PORT"] == {"value": "9000", "from": "environment"}
    assert told["BIGBEN_TRUSTED"] == {"value": "10.0.0.0/8 ::1/128", "from": "environment"}
    assert told["BIGBEN_BURST"] == {"value": "100", "from": "default"}
    assert told["BIGBEN_SECRET"]["from"] == "Redis, which keeps it"
    assert told["--workers"] == {"value": "2", "from": "option --workers"}
    told = shown(capsys, "--port", "1")
    assert told["BIGBEN_PORT"] == {"value": "1", "from": "option --port"}


def test_what_is_shown_can_be_set_again(capsys: pytest.CaptureFixture[str]) -> None:
    told = shown(capsys)
    values = {name: one["value"] for name, one in told.items() if name in config.VARIABLES}
    usual = {name: value for name, value in values.items() if not value.startswith("(")}
    assert config.from_environment({**usual, "BIGBEN_RANKED": ""}) == config.Settings()


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_no_key_and_no_password_is_shown(
    options: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in SECRETS.items():
        monkeypatch.setenv(name, value)
    assert config_command(options) == 0
    said = capsys.readouterr().out
    assert all(name in said for name in SECRETS)
    assert "redis://ada:***@db:6379/0" in said
    assert KEY not in said
    assert KEY[:29] not in said


@pytest.mark.parametrize(
    "url",
    [
        f"redis://:{KEY}@db/0",
        f"rediss://ada:{KEY}@db:6379/0",
        f"redis://ada:{KEY}/with/slashes@and@ats@db/0",
        f"redis+sentinel://ada:{KEY}@a:26379,b:26379/main",
        f"redis+cluster://a:6379,b:6379?password={KEY}",
        f"unix:///srv/redis.sock?db=1&password={KEY}",
        f"redis+sentinel://a/main?sentinel_password={KEY}&sentinel_username=x",
    ],
)
def test_a_password_leaves_its_url(url: str) -> None:
    said = without_password(url)
    assert KEY[:29] not in said
    assert "slashes" not in said
    assert said.partition("://")[0] == url.partition("://")[0]


def test_a_bad_setting_is_one_sentence_here_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("BIGBEN_PORT", "eighty")
    assert config_command([]) == 1
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert said.err.startswith("bigben config: BIGBEN_PORT is a number")


def test_only_what_is_not_usual_differs() -> None:
    assert differing(config.Settings()) == []
    settings = config.from_environment({"BIGBEN_PORT": "9000", **SECRETS})
    found = {one.name: one.value for one in differing(settings)}
    assert found == {
        "BIGBEN_PORT": "9000",
        "BIGBEN_REDIS_URL": "redis://ada:***@db:6379/0",
        **{name: "(set, and not shown)" for name in SECRETS if name != "BIGBEN_REDIS_URL"},
    }


async def test_the_start_is_one_line_with_versions_and_settings_that_differ(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    settings = config.from_environment({"BIGBEN_PORT": "9000", "BIGBEN_SECRET": KEY})
    await log_start(store, settings, 2)
    await log_start(store, config.Settings())
    changed, usual = (record.getMessage() for record in caplog.records)
    assert changed.startswith("started: Big Ben ")
    for part in (", data ", ", Python 3.", ", Valkey "):
        assert part in changed
    ends = "BIGBEN_PORT=9000, BIGBEN_SECRET=(set, and not shown), --workers=2"
    assert changed.endswith(f"; settings that are not the usual ones: {ends}")
    assert usual.endswith("; settings that are not the usual ones: none")


def test_how_long_a_server_ran_has_two_units() -> None:
    assert [span(s) for s in (0, 61, 3_600, 200_000)] == ["0 s", "1 min 1 s", "1 h", "2 d 7 h"]
