"""What docs/discord.md says of the bot's settings, against the bot."""

import re
from typing import Final

from tests.support.paths import ROOT

from bigben_discord.config import from_environment

GUIDE: Final = (ROOT / "docs" / "discord.md").read_text()


def blocks(language: str) -> list[str]:
    """The examples in this language, without the indentation of the list that they stand in."""
    found = re.findall(rf"^ *```{language}\n(.*?)^ *```", GUIDE, re.DOTALL | re.MULTILINE)
    return [re.sub(r"^ +", "", example, flags=re.MULTILINE) for example in found]


def test_every_setting_is_in_the_table() -> None:
    files = ("discord/bigben_discord/config.py", "common/bigben_chat/settings.py")
    config = "".join((ROOT / "bots" / file).read_text() for file in files)
    read = re.findall(r"environ(?:\.get\(|, )\"(BIGBEN_\w+)\"", config)
    rows = re.findall(r"^\| (`BIGBEN_[^|]+) \|", GUIDE, re.MULTILINE)
    table = re.findall(r"BIGBEN_\w+", " ".join(rows))
    assert set(table) == {*read, "BIGBEN_ISSUER_DISCORD_KEY", "BIGBEN_DISCORD_DATA"}


def test_the_file_of_settings_has_all_that_the_bot_wants() -> None:
    (example,) = blocks("sh")
    lines = [line.partition("=") for line in example.splitlines() if line.startswith("BIGBEN_")]
    given = {name: value for name, _, value in lines}
    given["BIGBEN_ISSUER_DISCORD_KEY"] = "k" * 64
    settings = from_environment({**given, "BIGBEN_DISCORD_TOKEN": "a.b.c"})
    assert not settings.browsers
    page = "https://bigben.example"
    assert from_environment(
        {**given, "BIGBEN_DISCORD_TOKEN": "a.b.c", "BIGBEN_PAGE": page}
    ).browsers


def test_no_key_stands_on_a_command_line() -> None:
    assert not re.search(r"(KEY|TOKEN)=\S+ +\S*bigben", GUIDE)
