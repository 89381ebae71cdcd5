"""The commands' descriptions in every language, for discord.py to sync.

Names of commands and options stay as they are in all languages, so that friends can tell each
other what to type.
"""

from collections.abc import Callable

from discord import Locale, app_commands
from discord.app_commands import locale_str

from bigben_chat.texts import languages, say_in
from bigben_protocol.texts import DEFAULT


def text(key: str) -> locale_str:
    """A text that is synced in every language."""
    return translated(lambda language: languages()[language].label(key))


def translated(label: Callable[[str], str]) -> locale_str:
    """What this says in every language."""
    return locale_str(label(DEFAULT), label=label)


class Translator(app_commands.Translator):
    """Asks each text what it says."""

    async def translate(
        self,
        string: locale_str,
        locale: Locale,
        context: app_commands.TranslationContextTypes,
    ) -> str | None:
        """The text in this language, or None where it has no file or the text no other."""
        label, language = string.extras.get("label"), say_in(locale.value).language
        return None if label is None or language == DEFAULT else str(label(language))
