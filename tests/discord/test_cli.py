"""``bigben-discord`` as an operator runs it: one sentence for everything that is missing."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from tests.discord.running import KEY
from tests.discord.standin.server import Discord
from tests.support.bot_command import environment, said
from tests.support.scraping import figures_once, metrics_of, scraped
from tests.support.server_process import ServerProcess

from bigben_chat.settings import BadSetting
from bigben_chat.store import Store
from bigben_discord.config import from_environment

GOOD = {"BIGBEN_DISCORD_TOKEN": "a.b.c", "BIGBEN_ISSUER_DISCORD_KEY": "k" * 32}

STARTER = """
import sys, yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route
port = sys.argv[1]
Route.BASE = f"http://127.0.0.1:{port}/api/v10"
DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(f"ws://127.0.0.1:{port}/gateway/")
from bigben_discord.command import main
del sys.argv[1]
sys.exit(main())
"""
"""The command, with discord.py's two base addresses set to the stand-in."""


async def started(
    port: int, folder: Path, settings: Mapping[str, str], *words: str
) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        STARTER,
        str(port),
        *words,
        env=environment({"BIGBEN_DISCORD_DATA": str(folder), **settings}),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )


def right_settings(world: Discord, server: ServerProcess) -> dict[str, str]:
    """With which the bot starts."""
    return {
        "BIGBEN_DISCORD_TOKEN": world.token,
        "BIGBEN_ISSUER_DISCORD_KEY": KEY,
        "BIGBEN_SERVER": server.url,
    }


def test_the_settings_have_sensible_defaults() -> None:
    settings = from_environment(GOOD)
    assert settings.server == "ws://127.0.0.1:8765"
    assert settings.page == "http://127.0.0.1:8765"
    assert not settings.browsers
    assert settings.data == Path("data")
    assert settings.metrics is None


def test_the_page_may_be_elsewhere() -> None:
    settings = from_environment({**GOOD, "BIGBEN_PAGE": "https://bigben.example/"})
    assert settings.page == "https://bigben.example"
    assert settings.browsers


def test_secrets_are_in_no_repr() -> None:
    page = {"BIGBEN_PAGE": "https://bigben.example"}
    shown = repr(from_environment({**GOOD, **page, "BIGBEN_DISCORD_SECRET": "s3cret"}))
    assert "a.b.c" not in shown
    assert "s3cret" not in shown
    assert "kkk" not in shown


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"BIGBEN_DISCORD_TOKEN": ""}, "BIGBEN_DISCORD_TOKEN is missing"),
        ({"BIGBEN_DISCORD_TOKEN": "Bot abc"}, "bare token"),
        ({"BIGBEN_ISSUER_DISCORD_KEY": ""}, "BIGBEN_ISSUER_DISCORD_KEY is missing"),
        ({"BIGBEN_ISSUER_DISCORD_KEY": "short"}, "at least 32 bytes"),
        ({"BIGBEN_PAGE": "ftp://x"}, "BIGBEN_PAGE"),
        ({"BIGBEN_DISCORD_SECRET": "s"}, "BIGBEN_DISCORD_SECRET needs BIGBEN_PAGE"),
        (
            {"BIGBEN_DISCORD_SECRET": "s", "BIGBEN_PAGE": "https://x/play"},
            "at the root of its host",
        ),
        ({"BIGBEN_LOGIN_PORT": "http"}, "BIGBEN_LOGIN_PORT is a number"),
        ({"BIGBEN_BOT_METRICS_PORT": "-1"}, "BIGBEN_BOT_METRICS_PORT is a number"),
    ],
)
def test_a_missing_or_wrong_setting_is_named(change: dict[str, str], word: str) -> None:
    with pytest.raises(BadSetting, match=word) as error:
        from_environment({**GOOD, **change})
    assert str(error.value).endswith(".")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"BIGBEN_DISCORD_TOKEN": ""}, "BIGBEN_DISCORD_TOKEN is missing"),
        ({"BIGBEN_DISCORD_TOKEN": "wrong"}, "Discord does not take BIGBEN_DISCORD_TOKEN"),
        ({"BIGBEN_ISSUER_DISCORD_KEY": "w" * 32}, "does not take BIGBEN_ISSUER_DISCORD_KEY"),
        ({"BIGBEN_SERVER": "ws://no port:x"}, "BIGBEN_SERVER can't be used"),
        ({"BIGBEN_DISCORD_DATA": "/dev/null/x"}, "BIGBEN_DISCORD_DATA can't be used"),
        (
            # An address for examples, which no machine has.
            {"BIGBEN_METRICS_HOST": "192.0.2.1", "BIGBEN_BOT_METRICS_PORT": "0"},
            "The metrics can't be served on '192.0.2.1', port 0",
        ),
    ],
)
async def test_one_sentence_and_no_traceback(
    world: Discord, server: ServerProcess, tmp_path: Path, change: dict[str, str], sentence: str
) -> None:
    settings = {
        **right_settings(world, server),
        **change,
    }
    code, lines = await said(await started(world.port, tmp_path, settings))
    assert code == 1
    (line,) = lines
    assert line.startswith("bigben-discord: ")
    assert sentence in line


async def test_an_address_for_logins_that_is_taken_is_named(
    world: Discord, server: ServerProcess, tmp_path: Path
) -> None:
    settings = {
        **right_settings(world, server),
        "BIGBEN_DISCORD_SECRET": "secret",
        "BIGBEN_PAGE": "https://race.example",
        "BIGBEN_LOGIN_PORT": str(world.port),
    }
    code, (line,) = await said(await started(world.port, tmp_path, settings))
    assert code == 1
    assert line.startswith("bigben-discord: BIGBEN_LOGIN_HOST and BIGBEN_LOGIN_PORT can't be used:")
    assert "address already in use" in line


async def test_two_bots_with_one_folder_are_one_too_many(
    world: Discord, server: ServerProcess, tmp_path: Path
) -> None:
    settings = right_settings(world, server)
    first = Store(tmp_path / "discord.sqlite")
    code, lines = await said(await started(world.port, tmp_path, settings))
    first.close()
    sentence = "BIGBEN_DISCORD_DATA can't be used: another bot is using it; stop that one first."
    assert (code, lines) == (1, [f"bigben-discord: {sentence}"])
    assert world.gateway.identifies == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_it_runs_until_it_is_told_to_stop(
    world: Discord, server: ServerProcess, tmp_path: Path, number: signal.Signals
) -> None:
    channel = world.channel("general", world.guild("Friends"))
    settings = {**right_settings(world, server), "BIGBEN_BOT_METRICS_PORT": "0"}
    process = await started(world.port, tmp_path, settings)
    metrics = await metrics_of(process)
    await world.changes.until(lambda: world.gateway.up, "the bot is on Discord")
    ada = world.person("Ada")
    told = await (await ada.types(channel, "bigben daily")).shown()
    assert "your clock starts" in told.content
    await (await ada.presses(told, "Show me the cards")).shown()
    await ada.types(channel, "bigben move", {"from": "no such"})
    ended = {"command,done": 1, "command,refused": 1, "control,done": 1}
    requests = {f"bigben_bot_requests_total{{{how}}}": count for how, count in ended.items()}
    found = await figures_once(
        metrics,
        **requests,
        **{"bigben_bot_connected{platform}": 1, "bigben_bot_connected{server}": 1},
        **{"bigben_bot_players": 1, "bigben_bot_boards": 1},
    )
    assert found["bigben_bot_messages_total{answered}"] >= 3
    text = await scraped(metrics)
    assert not [word for word in ("Ada", ada.user.id, channel.id) if word in text]
    process.send_signal(number)
    assert await said(process) == (0, [])


@pytest.mark.parametrize(
    ("code", "argument", "exit_code", "words"),
    [
        ("", "--help", 0, "BIGBEN_DISCORD_TOKEN"),
        ("", "--what", 2, "unrecognized arguments: --what"),
        ("sys.modules['discord'] = None", "", 1, "pip install '.[discord]'"),
    ],
)
def test_the_command_helps_also_where_the_bot_can_not_run(
    code: str, argument: str, exit_code: int, words: str
) -> None:
    command = f"import sys\n{code}\nfrom bigben_discord.command import main\nsys.exit(main())"
    ended = subprocess.run(
        [sys.executable, "-c", command, *filter(None, [argument])],
        env={"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == exit_code
    assert words in ended.stdout + ended.stderr
    assert "Traceback" not in ended.stderr
