"""Each setting that a program reads is documented, and docker-compose.yml passes it on."""

import re
from collections.abc import Callable, Mapping

import pytest
import yaml
from tests.support.paths import ROOT

from bigben_discord import config as discord
from bigben_matrix import config as matrix
from bigben_server import config as server

KEY = "k" * 32
FIXED = {
    "server": {"BIGBEN_HOST", "BIGBEN_PORT", "BIGBEN_DATA"},
    "bot": set[str](),
    "matrix-bot": set[str](),
}
"""Settings that a container does not need: the command in the Dockerfile has them as options."""
PAGES = {
    "server": "docs/operators.md",
    "bot": "docs/discord.md",
    "matrix-bot": "docs/matrix.md",
}


class Asked(dict[str, str]):
    """An environment that remembers which variables were read."""

    def __init__(self, **values: str) -> None:
        super().__init__(values)
        self.names: set[str] = set()

    def get(self, name: str, default: str | None = None) -> str | None:  # type: ignore[override]
        self.names.add(name)
        return super().get(name, default)

    def __getitem__(self, name: str) -> str:
        self.names.add(name)
        return super().__getitem__(name)


def read_by(settings: Callable[[Mapping[str, str]], object], **needed: str) -> set[str]:
    environ = Asked(**needed)
    settings(environ)
    return environ.names


READ = {
    "server": read_by(server.from_environment, BIGBEN_ISSUER_NAME_KEY=KEY),
    "bot": read_by(
        discord.from_environment, BIGBEN_DISCORD_TOKEN="t", BIGBEN_ISSUER_DISCORD_KEY=KEY
    ),
    "matrix-bot": read_by(
        matrix.from_environment,
        BIGBEN_MATRIX_HOMESERVER="https://matrix.example",
        BIGBEN_MATRIX_TOKEN="t",
        BIGBEN_ISSUER_MATRIX_KEY=KEY,
    ),
}


def documented(page: str) -> set[str]:
    """The variables in the first column of the table below the heading Settings."""
    text = (ROOT / page).read_text().partition("\n## Settings\n")[2].partition("\n## ")[0]
    cells = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
    return {name for cell in cells for name in re.findall(r"`(BIGBEN_\w+)`", cell)}


@pytest.mark.parametrize("program", PAGES)
def test_every_setting_is_in_the_table_of_the_documentation(program: str) -> None:
    page, read = documented(PAGES[program]), READ[program]
    assert read - page == set(), f"add these to the table in {PAGES[program]}"
    assert page - read == set(), f"nothing reads these, which {PAGES[program]} documents"


@pytest.mark.parametrize("program", PAGES)
def test_docker_compose_passes_every_setting(program: str) -> None:
    services = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    passed = set(services[program]["environment"])
    # A name can't be a pattern; the file has the issuers that come with the project.
    issuers = ("_DISCORD_", "_MATRIX_")
    read = {name.replace("_NAME_", one) for name in READ[program] for one in issuers}
    read -= FIXED[program]
    assert read - passed == set(), f"add these to {program} in docker-compose.yml"
    assert passed - read == set(), f"the {program} does not read these"
