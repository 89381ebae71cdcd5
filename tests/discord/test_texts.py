"""Every language says the same things, with the same places for what is filled in."""

import shutil
import subprocess
import sys
from pathlib import Path

import discord
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bigben_protocol
from bigben_chat.texts import languages, say_in
from bigben_discord.interactions.markdown import escaped_name
from bigben_protocol.sentence import sentence
from bigben_protocol.texts import DEFAULT, of

OTHERS = [code for code in languages() if code != DEFAULT]


def test_there_are_english_and_german() -> None:
    assert {"en", "de"} <= set(languages())


@pytest.mark.parametrize("code", languages())
def test_what_the_server_says_has_no_backticks_which_players_would_read_as_signs(code: str) -> None:
    """Front ends show it without any markup: it may have words that a player chose."""
    assert [key for key, text in of("sentences", code).items() if "`" in str(text)] == []


def test_what_the_server_says_is_filled_in() -> None:
    on_fan = sentence("build.fan", card="9H", top="6S", fan=4, wanted="5S")
    assert say_in("de").told([on_fan], "…") == "9H kommt nicht auf 6S; Fächer 4 will 5S."
    assert say_in("en").told([on_fan], "…") == "9H does not go on 6S; fan 4 wants 5S."


def test_what_a_newer_server_says_comes_in_english() -> None:
    newer = sentence("build.of_tomorrow", card="9H")
    assert say_in("de").told([newer], "A new server says this.") == "A new server says this."
    assert say_in("de").told([], "An old one says that.") == "An old one says that."


def test_a_locale_finds_its_language_and_others_english() -> None:
    assert say_in("de").language == "de"
    assert say_in("en-GB").language == "en"
    assert say_in("pt-BR").language == "en"


FRENCH = """
import asyncio
from discord import app_commands
from bigben_discord.commands import GROUP
from bigben_chat.texts import say_in
from bigben_discord.commands.translator import Translator, text
from discord import Locale

context = app_commands.TranslationContext(
    app_commands.TranslationContextLocation.command_description, GROUP
)
print(say_in("fr").label("button.join"))
print(asyncio.run(Translator().translate(text("command.daily"), Locale.french, context)))
settings = GROUP.get_command("settings")
print([one.value for p in settings.parameters for one in p.choices if p.display_name == "language"])
"""


def test_adding_a_language_is_adding_its_file(tmp_path: Path) -> None:
    package = Path(bigben_protocol.__file__).parent
    copy = tmp_path / "bigben_protocol"
    shutil.copytree(package, copy, ignore=shutil.ignore_patterns("__pycache__"))
    english = (copy / "texts/en.toml").read_text(encoding="utf-8")
    french = english.replace('join = "Join"', 'join = "Participer"')
    french = french.replace("Start or continue today’s race", "Commencer la course du jour")
    (copy / "texts/fr.toml").write_text(french, encoding="utf-8")
    others = [folder for folder in sys.path if not folder.endswith("protocol")]
    code = f"import sys; sys.path[:] = {[str(tmp_path), *others]!r}\n{FRENCH}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        "Participer",
        "Commencer la course du jour",
        "['de', 'en', 'fr', 'usual']",
    ]


@given(st.text(alphabet="*_~|`\\[]()#->@<>: /\nhereyon1", max_size=40))
def test_names_are_escaped_as_discord_py_escapes_them(shown: str) -> None:
    unlinked = shown.replace("://", ":\u200b//")
    escaped = discord.utils.escape_markdown(unlinked, ignore_links=False).replace("<", "\\<")
    assert escaped_name(shown) == discord.utils.escape_mentions(escaped)
