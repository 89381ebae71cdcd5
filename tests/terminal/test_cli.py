"""The `bigben` command itself: its subcommands, what they import, and how they end."""

import os
import signal
import subprocess
from importlib.metadata import version
from pathlib import Path

import pytest
from tests.terminal.command import (
    BASE,
    PACKAGES,
    arguments,
    bigben,
    bigben_here,
    complaint,
    environment,
)

SEED = "00" * 32


@pytest.fixture
def plugin(tmp_path: Path) -> list[str]:
    """An import path with another distribution that has the command `echo`."""
    (tmp_path / "other.py").write_text(
        "import sys\n"
        "def echo(argv):\n"
        "    print('echo', *argv, flush=True)\n"
        "    sys.stdin.read()\n"
        "    return len(argv)\n"
    )
    facts = tmp_path / "other-1.0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: other\nVersion: 1.0\n")
    (facts / "entry_points.txt").write_text(
        "[bigben.commands]\n"
        "echo = other:echo\n"
        "lame = missing_package:run\n"
        "serve = bigben_server.cli:serve\n"
        "deal = other:echo\n"
    )
    return [*PACKAGES, str(tmp_path)]


@pytest.mark.parametrize("argv", [[], ["--help"], ["-h"], ["help"]])
def test_help_lists_the_commands(argv: list[str]) -> None:
    done = bigben(*argv)
    assert (done.returncode, done.stderr) == (0, "")
    assert "usage: bigben COMMAND" in done.stdout
    assert "\n  deal         show the deal that belongs to a seed\n" in done.stdout
    assert "\n  replay       " in done.stdout


def test_help_lists_the_commands_of_other_packages(plugin: list[str]) -> None:
    shown = bigben("--help", path=plugin).stdout
    assert "\n  echo         from other\n" in shown
    assert "\n  serve        run the server that friends race on\n" in shown


def test_help_says_what_each_command_of_big_ben_does() -> None:
    assert "  from bigben" not in bigben("--help", site=True).stdout


@pytest.mark.parametrize(
    "name",
    [
        *("archive", "deal", "demo", "groups", "leaderboard", "play", "receipt", "replay"),
        *("season", "stats", "verify", "watch"),
    ],
)
def test_every_command_has_help(name: str) -> None:
    done = bigben_here(name, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"usage: bigben {name} ")


def test_the_version() -> None:
    done = bigben("--version", site=True)
    assert (done.returncode, done.stdout) == (0, f"bigben {version('bigben-race')}\n")


def test_the_version_of_a_source_that_is_not_installed() -> None:
    assert bigben("--version").stdout == "bigben (not installed, run from its source)\n"


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("dael", "'dael'; did you mean deal?"),
        (
            "xyzzy",
            "'xyzzy'; the commands are analyse, archive, challenge, deal, demo, groups, "
            "leaderboard, learn, login, logout, play, receipt, replay, season, solve, stats, "
            "verify, watch",
        ),
        ("--jsno", "'--jsno'; the commands are"),
        ("x" * 1000, "'" + "x" * 40 + "'; the commands are"),
        ("", "''; the commands are"),
        ("cli", "'cli'; the commands are"),
        ("../deal", "'../deal'; did you mean deal?"),
    ],
)
def test_a_command_that_does_not_exist(name: str, hint: str) -> None:
    assert complaint(name, run=bigben).startswith(f"bigben: there is no command {hint}")


@pytest.mark.parametrize(
    "argv",
    [["deal", "--seed", SEED, "--json"], ["deal", "--seed", SEED], ["replay", "--json", "-"]],
    ids=" ".join,
)
def test_deal_and_replay_import_nothing_but_the_rules_and_the_solver(argv: list[str]) -> None:
    done = subprocess.run(
        [arguments(site=True)[0], "-X", "importtime", *arguments(site=True)[1:], *argv],
        input=b'{"seed": "%s", "moves": ["turn"]}' % SEED.encode(),
        capture_output=True,
        env=environment(PACKAGES),
        check=True,
    )
    imported = {line.rpartition("|")[2].strip() for line in done.stderr.decode().splitlines()}
    assert "bigben_rules" in imported
    assert not {"msgspec", "redis", "websockets", "discord", "rich"} & imported
    ours = {name.partition(".")[0] for name in imported if name.startswith("bigben_")}
    assert ours - {"bigben_solver"} == {"bigben_rules", "bigben_terminal"}


def test_a_command_of_another_package_gets_all_arguments_after_its_name(plugin: list[str]) -> None:
    done = bigben("echo", "--json", "-x", "--", "y", path=plugin)
    assert (done.stdout, done.returncode) == ("echo --json -x -- y\n", 4)


def test_a_command_of_another_package_never_replaces_a_built_in_one(plugin: list[str]) -> None:
    assert "commitment" in bigben("deal", "--seed", SEED, path=plugin).stdout


def test_a_command_whose_extra_is_not_installed_says_how_to_install_it(plugin: list[str]) -> None:
    done = bigben("serve", path=plugin)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert done.stderr.endswith(
        ", which is not installed: in the checkout, pip install '.[server]'\n"
    )


def test_a_command_of_this_package_whose_extra_is_not_installed_says_so_too() -> None:
    assert complaint("play", run=bigben).endswith(
        ", which is not installed: in the checkout, pip install '.[terminal]'"
    )


def test_a_command_of_another_package_that_cannot_be_imported_says_what_it_needs(
    plugin: list[str],
) -> None:
    done = bigben("lame", path=plugin)
    assert done.stderr == "bigben: this needs missing_package, which is not installed\n"


def test_ctrl_c_ends_it_without_a_traceback(plugin: list[str]) -> None:
    with subprocess.Popen(
        arguments("echo", "ready"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(plugin),
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"echo ready\n"
        process.send_signal(signal.SIGINT)
        _, err = process.communicate()
    assert (process.returncode, err) == (130, b"")


@pytest.mark.parametrize("argv", [["--help"], ["deal", "--help"], ["deal", "--seed", SEED]])
def test_a_closed_output_ends_it_silently(argv: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        arguments(*argv), stdout=writing, stderr=subprocess.PIPE, env=environment(), check=False
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, b"")


def test_a_full_disk_gets_a_sentence() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            arguments("deal", "--seed", SEED),
            stdout=full,
            stderr=subprocess.PIPE,
            env=environment(BASE),
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr == b"bigben: No space left on device\n"


@pytest.mark.parametrize("closed", ["<&-", ">&-", "<&- >&- 2>&-"])
def test_closed_standard_streams_do_no_harm(closed: str) -> None:
    done = subprocess.run(
        ["sh", "-c", f'exec "$@" {closed}', "sh", *arguments("deal", "--seed", SEED)],
        capture_output=True,
        env=environment(),
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_replay_from_a_closed_standard_input_gets_a_sentence() -> None:
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" <&-', "sh", *arguments("replay", "-")],
        capture_output=True,
        env=environment(),
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"bigben replay: standard input is closed\n"
