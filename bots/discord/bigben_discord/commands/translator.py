"""The commands' descriptions in every language, for discord.py to sync.

Names of commands and options stay as they are in all languages, so that friends can tell each
other what to type.
"""

from discord import Locale, app_commands
from discord.app_commands import locale_str

from bigben_chat.texts import languages, say_in
from bigben_protocol import texts
from bigben_protocol.texts import DEFAULT


def text(key: str) -> locale_str:
    """A text that is synced in every language."""
    return locale_str(languages()[DEFAULT].label(key), key=key)


def shared_text(table: str, key: str) -> locale_str:
    """The same for a text of a table that all front ends share."""
    return locale_str(str(texts.of(table, DEFAULT)[key]), table=table, key=key)


class Translator(app_commands.Translator):
    """Looks texts up by their keys."""

    async def translate(
        self,
        string: locale_str,
        locale: Locale,
        context: app_commands.TranslationContextTypes,
    ) -> str | None:
        """The text in this language, or None where it has no file or the text no key."""
        key, table = string.extras.get("key"), string.extras.get("table")
        say = say_in(locale.value)
        if say.language == DEFAULT or key is None:
            return None
        return str(texts.of(table, say.language)[key]) if table else say.label(key)
