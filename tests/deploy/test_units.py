"""The units for systemd: they wait for what is away, and may do little else than their work."""

import configparser
import re
import shlex
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
from tests.support.paths import ROOT

from bigben_server.watchdog import BEAT_S

FOLDER = ROOT / "docs/systemd"
UNITS = sorted(FOLDER.glob("*.service"))
MOST_EXPOSED = 20
"""Tenths of what ``systemd-analyze security`` prints."""


def unit(path: Path) -> configparser.RawConfigParser:
    # Only SystemCallFilter= stands there twice, and the first one is not needed here.
    read = configparser.RawConfigParser(strict=False)
    read.optionxform = str  # type: ignore[assignment]  # names keep their capitals
    read.read_string(path.read_text())
    return read


def test_there_is_one_for_the_server_and_one_for_each_bot() -> None:
    assert [path.stem for path in UNITS] == ["bigben-discord", "bigben-matrix", "bigben"]


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.stem)
def test_a_service_is_never_given_up(path: Path) -> None:
    read = unit(path)
    assert read["Unit"]["StartLimitIntervalSec"] == "0"
    assert read["Service"]["Restart"] == "always"
    assert int(read["Service"]["RestartSec"]) >= 5


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.stem)
def test_it_runs_a_command_that_the_project_installs(path: Path) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    command = shlex.split(unit(path)["Service"]["ExecStart"])
    assert Path(command[0]).parent == Path("/opt/bigben/bin")
    assert Path(command[0]).name in project["scripts"]


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.stem)
@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="there is no systemd-analyze")
def test_systemd_finds_it_hardened(path: Path) -> None:
    options = ["--offline=true", f"--threshold={MOST_EXPOSED}", "--no-pager"]
    security = ["systemd-analyze", "security", *options, str(path)]
    said = subprocess.run(security, capture_output=True, text=True)
    assert said.returncode == 0, said.stdout + said.stderr
    assert re.search(r"Overall exposure level for \S+: [01]\.\d ", said.stdout), said.stdout


def test_systemd_hears_from_the_server_and_never_gives_up_a_long_start() -> None:
    """With much data the embedded Redis loads for minutes before the server says that it serves."""
    service = unit(FOLDER / "bigben.service")["Service"]
    assert (service["Type"], service["TimeoutStartSec"]) == ("notify", "infinity")
    assert 10 * BEAT_S <= int(service["WatchdogSec"]) <= 20


@pytest.mark.parametrize("platform", ["discord", "matrix"])
def test_a_bot_has_a_folder_and_a_file_of_settings(platform: str) -> None:
    service = unit(FOLDER / f"bigben-{platform}.service")["Service"]
    folder = f"BIGBEN_{platform.upper()}_DATA=/var/lib/bigben-{platform}"
    assert (service["Environment"], service["StateDirectory"]) == (folder, f"bigben-{platform}")
    assert service["EnvironmentFile"] == f"/etc/bigben-{platform}.env"


def test_the_documentation_installs_each_of_them() -> None:
    text = (ROOT / "docs/operators.md").read_text()
    for path in UNITS:
        assert f"docs/systemd/{path.name}" in text
        assert f"systemctl enable --now {path.stem}" in text
