"""The settings of the bot, read from the environment once."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from bigben_chat.settings import BadSetting, BotSettings, of_every_bot


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings(BotSettings):
    """Everything two deployments differ in."""

    homeserver: str
    """Where the bot's homeserver answers clients, ``https://matrix.example``."""
    token: str = field(repr=False)
    """An access token of the bot's account there."""


def from_environment(environ: Mapping[str, str] = os.environ) -> Settings:
    """The settings as ``BIGBEN_…`` variables give them. Raises BadSetting."""
    homeserver = environ.get("BIGBEN_MATRIX_HOMESERVER", "").strip().rstrip("/")
    if not re.fullmatch(r"https?://[^/?#\s@]+(/[^?#\s]*)?", homeserver):
        raise BadSetting(
            "BIGBEN_MATRIX_HOMESERVER is the address of the bot's homeserver, like "
            f"https://matrix.example, not {homeserver[:60]!r}."
        )
    token = environ.get("BIGBEN_MATRIX_TOKEN", "").strip()
    if not (token.isascii() and token.isprintable() and token and " " not in token):
        raise BadSetting(
            "BIGBEN_MATRIX_TOKEN is missing or has spaces; it is an access token of the bot's "
            "account, and docs/matrix.md says how to get one."
        )
    return Settings(homeserver=homeserver, token=token, **of_every_bot(environ, "matrix"))
