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


def game_text(text_id: str) -> locale_str:
    """The same for a text about games, which all front ends share."""
    return locale_str(texts.text(text_id), game_text=text_id)


def cheer_text(cheer: str) -> locale_str:
    """The same for what players call to each other."""
    return locale_str(str(texts.of("cheers", DEFAULT)[f"cheer.{cheer}"]), cheer=cheer)


class Translator(app_commands.Translator):
    """Looks texts up by their keys."""

    async def translate(
        self,
        string: locale_str,
        locale: Locale,
        context: app_commands.TranslationContextTypes,
    ) -> str | None:
        """The text in this language, or None where it has no file or the text no key."""
        key, text_id = string.extras.get("key"), string.extras.get("game_text")
        say = say_in(locale.value)
        if say.language == DEFAULT:
            return None
        if text_id is not None:
            return say.game_text(text_id)
        if cheer := string.extras.get("cheer"):
            return str(texts.of("cheers", say.language)[f"cheer.{cheer}"])
        return say.label(key) if key is not None else None
