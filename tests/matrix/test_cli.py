"""``bigben-matrix`` as an operator runs it: one sentence for everything that is missing."""

import asyncio
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest
from tests.matrix.people import People
from tests.matrix.running import KEY
from tests.matrix.synapse import Account, Synapse
from tests.support.bot_command import environment, said
from tests.support.server_process import ServerProcess

from bigben_chat.settings import BadSetting
from bigben_matrix.config import from_environment

GOOD: Final = {
    "BIGBEN_MATRIX_HOMESERVER": "https://matrix.example/",
    "BIGBEN_MATRIX_TOKEN": "syt_secret",
    "BIGBEN_ISSUER_MATRIX_KEY": "k" * 32,
}


async def started(settings: Mapping[str, str], *words: str) -> asyncio.subprocess.Process:
    code = "import sys; from bigben_matrix.command import main; sys.exit(main())"
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        code,
        *words,
        env=environment(settings),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )


def right_settings(
    homeserver: Synapse, account: Account, server: ServerProcess, folder: Path
) -> dict[str, str]:
    """With which the bot starts."""
    return {
        "BIGBEN_MATRIX_HOMESERVER": homeserver.url,
        "BIGBEN_MATRIX_TOKEN": account.token,
        "BIGBEN_ISSUER_MATRIX_KEY": KEY,
        "BIGBEN_SERVER": server.url,
        "BIGBEN_MATRIX_DATA": str(folder),
    }


def test_the_settings_have_sensible_defaults_and_show_no_secret() -> None:
    settings = from_environment(GOOD)
    assert settings.homeserver == "https://matrix.example"
    assert settings.server == "ws://127.0.0.1:8765"
    assert settings.page == "http://127.0.0.1:8765"
    assert not settings.browsers
    assert settings.store == Path("data", "matrix.sqlite")
    assert "syt_secret" not in repr(settings)
    assert "kkk" not in repr(settings)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"BIGBEN_MATRIX_HOMESERVER": ""}, "BIGBEN_MATRIX_HOMESERVER is the address"),
        ({"BIGBEN_MATRIX_HOMESERVER": "matrix.example"}, "like https://matrix.example"),
        ({"BIGBEN_MATRIX_HOMESERVER": "https://user:pw@matrix.example"}, "is the address"),
        ({"BIGBEN_MATRIX_TOKEN": ""}, "BIGBEN_MATRIX_TOKEN is missing"),
        ({"BIGBEN_MATRIX_TOKEN": "two words"}, "has spaces"),
        ({"BIGBEN_ISSUER_MATRIX_KEY": ""}, "BIGBEN_ISSUER_MATRIX_KEY is missing"),
        ({"BIGBEN_ISSUER_MATRIX_KEY": "short"}, "at least 32 bytes"),
        ({"BIGBEN_PAGE": "ftp://x"}, "BIGBEN_PAGE"),
    ],
)
def test_a_missing_or_wrong_setting_is_named(change: dict[str, str], words: str) -> None:
    with pytest.raises(BadSetting, match=words) as error:
        from_environment({**GOOD, **change})
    assert str(error.value).endswith(".")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"BIGBEN_MATRIX_TOKEN": "wrong"}, "The homeserver does not take BIGBEN_MATRIX_TOKEN"),
        ({"BIGBEN_ISSUER_MATRIX_KEY": "w" * 32}, "does not take BIGBEN_ISSUER_MATRIX_KEY"),
        ({"BIGBEN_SERVER": "ws://no port:x"}, "BIGBEN_SERVER can't be used"),
        ({"BIGBEN_MATRIX_DATA": "/dev/null/x"}, "BIGBEN_MATRIX_DATA can't be used"),
    ],
)
async def test_one_sentence_and_no_traceback(
    homeserver: Synapse,
    server: ServerProcess,
    tmp_path: Path,
    change: dict[str, str],
    sentence: str,
) -> None:
    account = await homeserver.account("Big Ben")
    settings = {**right_settings(homeserver, account, server, tmp_path), **change}
    code, (line,) = await said(await started(settings))
    assert code == 1
    assert line.startswith("bigben-matrix: ")
    assert sentence in line


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_it_runs_until_it_is_told_to_stop(
    people: People,
    homeserver: Synapse,
    server: ServerProcess,
    tmp_path: Path,
    number: signal.Signals,
) -> None:
    account = await homeserver.account("Big Ben")
    process = await started(right_settings(homeserver, account, server, tmp_path))
    ada = await people.person("Ada")
    room = await ada.room("Friends", account.user)
    await ada.sees(room, "this is Big Ben")
    process.send_signal(number)
    assert await said(process) == (0, [])


async def test_it_waits_for_a_homeserver_that_is_not_there_yet_and_can_be_stopped(
    server: ServerProcess, tmp_path: Path
) -> None:
    settings = {
        **GOOD,
        "BIGBEN_MATRIX_HOMESERVER": "http://127.0.0.1:1",
        "BIGBEN_SERVER": server.url,
        "BIGBEN_MATRIX_DATA": str(tmp_path),
    }
    process = await started(settings)
    assert process.stderr is not None
    first = await process.stderr.readline()
    assert b"can't be reached" in first, "at once, and not only after a minute"
    process.send_signal(signal.SIGTERM)
    assert await said(process) == (0, [])


async def test_an_operator_who_has_taken_all_steps_reads_so(
    homeserver: Synapse, server: ServerProcess, tmp_path: Path
) -> None:
    account = await homeserver.account("Big Ben")
    settings = right_settings(homeserver, account, server, tmp_path)
    code, (token, race, page) = await said(await started(settings, "check"))
    assert code == 0
    assert token == f"✓ BIGBEN_MATRIX_TOKEN is of {account.user}, at {homeserver.url}"
    assert race == f"✓ The race server at {server.url} takes BIGBEN_ISSUER_MATRIX_KEY."
    assert page.startswith("✓ The page is at http://")


async def test_each_step_that_is_missing_is_named(
    homeserver: Synapse, server: ServerProcess, tmp_path: Path
) -> None:
    account = await homeserver.account("Big Ben")
    right = right_settings(homeserver, account, server, tmp_path)
    nothing = "http://127.0.0.1:1"
    wrong = {
        "BIGBEN_MATRIX_TOKEN": "wrong",
        "BIGBEN_ISSUER_MATRIX_KEY": "w" * 32,
        "BIGBEN_PAGE": nothing,
    }
    # The race server is no homeserver, and the homeserver is no race server.
    swapped = {
        "BIGBEN_MATRIX_HOMESERVER": server.url.replace("ws", "http", 1),
        "BIGBEN_SERVER": homeserver.url,
        "BIGBEN_PAGE": homeserver.url,
    }
    first, second = [await started({**right, **bad}, "check") for bad in (wrong, swapped)]
    code, (token, race, page) = await said(first)
    assert code == 1
    assert token.startswith("✗ The homeserver does not take BIGBEN_MATRIX_TOKEN: 401")
    assert race.startswith("✗ The race server does not take BIGBEN_ISSUER_MATRIX_KEY")
    assert page.startswith(f"✗ The page is not at {nothing} (")
    code, (token, race, page) = await said(second)
    assert code == 1
    assert token.startswith("✗ No homeserver answers at BIGBEN_MATRIX_HOMESERVER")
    assert race.startswith("✗ No race server answers at BIGBEN_SERVER")
    assert "something else answers" in page


@pytest.mark.parametrize(
    ("code", "argument", "exit_code", "words"),
    [
        ("", "--help", 0, "BIGBEN_MATRIX_TOKEN"),
        ("", "--what", 2, "unrecognized arguments: --what"),
        ("", "check", 1, "bigben-matrix: BIGBEN_MATRIX_HOMESERVER is the address"),
        ("sys.modules['nio'] = None", "check", 1, "pip install '.[matrix]'"),
    ],
)
def test_the_command_helps_also_where_the_bot_can_not_run(
    code: str, argument: str, exit_code: int, words: str
) -> None:
    command = f"import sys\n{code}\nfrom bigben_matrix.command import main\nsys.exit(main())"
    ended = subprocess.run(
        [sys.executable, "-c", command, *filter(None, [argument])],
        env=environment({}),
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == exit_code
    assert words in ended.stdout + ended.stderr
    assert "Traceback" not in ended.stderr
