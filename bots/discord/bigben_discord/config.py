"""The settings of the bot, read from the environment once."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from bigben_chat.settings import BadSetting, BotSettings, number, of_every_bot


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings(BotSettings):
    """Everything two deployments differ in."""

    token: str = field(repr=False)
    """The bot's, from Discord's developer portal."""
    secret: str = field(default="", repr=False)
    """The application's client secret; without it nobody logs in with Discord."""
    login_host: str = "127.0.0.1"
    login_port: int = 8767
    """Where the login service listens."""
    behind_proxy: int = 0
    """How many proxies put the address that they were asked from into X-Forwarded-For."""


def from_environment(environ: Mapping[str, str] = os.environ) -> Settings:
    """The settings as ``BIGBEN_…`` variables give them. Raises BadSetting."""
    token = environ.get("BIGBEN_DISCORD_TOKEN", "").strip()
    if not token:
        raise BadSetting(
            "BIGBEN_DISCORD_TOKEN is missing; copy the bot's token from "
            "https://discord.com/developers/applications, page Bot."
        )
    if token.lower().startswith("bot ") or any(sign.isspace() for sign in token):
        raise BadSetting("BIGBEN_DISCORD_TOKEN is the bare token, without spaces or the word Bot.")
    return Settings(
        token=token,
        secret=_secret(environ),
        login_host=environ.get("BIGBEN_LOGIN_HOST", "") or "127.0.0.1",
        login_port=number(environ, "BIGBEN_LOGIN_PORT", 8767, 65_535),
        behind_proxy=number(environ, "BIGBEN_BEHIND_PROXY", 0, 10),
        **of_every_bot(environ, "discord"),
    )


def _secret(environ: Mapping[str, str]) -> str:
    """The client secret; with it, the page must be where browsers reach it."""
    secret = environ.get("BIGBEN_DISCORD_SECRET", "").strip()
    if secret and not environ.get("BIGBEN_PAGE", ""):
        raise BadSetting(
            "BIGBEN_DISCORD_SECRET needs BIGBEN_PAGE: Discord sends who logs in back to that page."
        )
    page = environ.get("BIGBEN_PAGE", "").rstrip("/")
    if secret and not re.fullmatch(r"[^/?#\s]+", page.rpartition("://")[2]):
        raise BadSetting(
            f"BIGBEN_PAGE is an address like https://bigben.example, not {page[:60]!r}: "
            "players log in only at a page that is at the root of its host."
        )
    return secret
