"""The commands' descriptions in every language, for discord.py to sync.

Names of commands and options stay as they are in all languages, so that friends can tell each
other what to type.
"""

from discord import Locale, app_commands
from discord.app_commands import locale_str

from bigben_chat.texts import DEFAULT, languages, say_in


def text(key: str) -> locale_str:
    """A text that is synced in every language."""
    return locale_str(languages()[DEFAULT](key), key=key)


class Translator(app_commands.Translator):
    """Looks texts up by their keys."""

    async def translate(
        self,
        string: locale_str,
        locale: Locale,
        context: app_commands.TranslationContextTypes,
    ) -> str | None:
        """The text in this language, or None where it has no file or the text no key."""
        key = string.extras.get("key")
        say = say_in(locale.value)
        if key is None or say.language == DEFAULT:
            return None
        return say(key)
