"""What operators install: the versions that were tested, and the bytes that were released."""

import os
import re
import subprocess
import tomllib
from importlib.metadata import requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from tests.support.paths import ROOT

SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text())
PROJECT = SETTINGS["project"]
FILES = ("requirements.txt", "requirements-build.txt")


def pinned(file: str) -> dict[str, str]:
    """The version of each package in a file, by its name."""
    found = re.findall(r"^([\w.-]+)==([\w.]+)", (ROOT / file).read_text(), re.MULTILINE)
    return {canonicalize_name(name): version for name, version in found}


def needed(requirements: list[str], extras: set[str]) -> set[str]:
    """What is installed here for these requirements, and for what they require."""
    found = set[str]()
    for requirement in map(Requirement, requirements):
        marker = requirement.marker
        if marker and not any(marker.evaluate({"extra": extra}) for extra in {"", *extras}):
            continue
        name = canonicalize_name(requirement.name)
        if name != PROJECT["name"]:
            found |= {name}
        found |= needed(requires(name) or [], requirement.extras)
    return found


@pytest.mark.parametrize("file", FILES)
def test_operators_get_the_versions_that_are_tested(file: str) -> None:
    tested = pinned("constraints.txt")
    for name, version in pinned(file).items():
        # What only another Python or system needs is not in the constraints.
        assert version == tested.get(name, version)


def test_operators_get_all_that_server_bots_and_terminal_need() -> None:
    wanted = f"{PROJECT['name']}[server,discord,matrix,terminal,house]"
    assert needed([wanted], set()) <= pinned("requirements.txt").keys()


def test_the_image_gets_all_that_builds_the_wheel() -> None:
    build = SETTINGS["build-system"]["requires"]
    assert needed(build, set()) <= pinned("requirements-build.txt").keys()


@pytest.mark.parametrize("file", FILES)
def test_each_package_has_hashes_and_no_address(file: str) -> None:
    """A hash is the same from every index; an address may be that of one machine."""
    text = (ROOT / file).read_text()
    entries = re.split(r"\n(?=\w)", text)[1:]
    assert len(entries) == len(pinned(file)) > 0
    for entry in entries:
        assert re.fullmatch(r"[^\\]+(\\\n {4}--hash=sha256:[0-9a-f]{64} ?)+\n?", entry), entry
    assert "://" not in text


def test_the_changelog_begins_with_this_version() -> None:
    heading = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert heading
    assert heading[1] == PROJECT["version"]


def test_a_release_without_an_image_is_made_only_if_it_is_asked_for(tmp_path: Path) -> None:
    """A program that publishes takes an exit with 0 for a whole release."""
    for name in ("docker", "podman"):
        (tmp_path / name).write_text("#!/bin/sh\nexit 1\n")
        (tmp_path / name).chmod(0o755)
    path = os.pathsep.join([str(tmp_path), os.environ["PATH"]])
    done = subprocess.run(
        [ROOT / "tools/make_release.sh"],
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert "make release IMAGE=no" in done.stderr
