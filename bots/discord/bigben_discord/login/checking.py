"""``bigben-discord check``: whether players can log in with Discord, and what to do if they can't.

It asks Discord and the page as the bot and browsers do, and changes nothing. What no API says,
such as the URL mapping, only a launch in Discord shows.
"""

from typing import Final

import aiohttp
import msgspec
from discord import ApplicationFlags

from bigben_chat.checking import Finding
from bigben_discord.config import Settings
from bigben_discord.login.discord_api import PATIENCE, Application, DiscordApi
from bigben_discord.login.refusal import Refusal

PORTAL: Final = "at https://discord.com/developers/applications"
_ANCESTOR: Final = "frame-ancestors https://discord.com "


class _Answer(msgspec.Struct):
    """What the bot answers when a login begins."""

    application: str


async def findings(settings: Settings) -> list[Finding]:
    """All steps, in the order in which they are taken."""
    async with aiohttp.ClientSession(timeout=PATIENCE) as session:
        api = DiscordApi(session, 0, settings.secret, settings.token)
        try:
            application = await api.me()
        except Refusal:
            return [Finding(False, "Discord can't be reached from here; nothing was checked.")]
        if application is None:
            text = f"Discord does not take BIGBEN_DISCORD_TOKEN; copy it again {PORTAL}, page Bot."
            return [Finding(False, text)]
        return [
            Finding(True, f"BIGBEN_DISCORD_TOKEN is of the application {application.id}."),
            await _secret(session, settings, application),
            _redirect(settings, application),
            _https(settings),
            await _login(session, settings, application),
            await _page(session, settings, application),
            _activities(application),
        ]


async def _secret(
    session: aiohttp.ClientSession, settings: Settings, application: Application
) -> Finding:
    where = f"{PORTAL}, page OAuth2, and give it to the bot"
    if not settings.secret:
        return Finding(False, f"BIGBEN_DISCORD_SECRET is missing: copy the client secret {where}.")
    try:
        await DiscordApi(
            session, int(application.id), settings.secret, settings.token
        ).check_secret()
    except Refusal as refusal:
        if refusal.code == "discord":
            return Finding(False, "Discord can't be reached for BIGBEN_DISCORD_SECRET; try again.")
        text = f"Discord does not take BIGBEN_DISCORD_SECRET: press Reset Secret {where}."
        return Finding(False, text)
    return Finding(True, "BIGBEN_DISCORD_SECRET is the application's.")


def _redirect(settings: Settings, application: Application) -> Finding:
    page = f"{settings.page}/"
    if page in application.redirect_uris:
        return Finding(True, f"Discord sends who logs in back to {page}")
    text = f"The redirect {page} is missing: add it {PORTAL}, page OAuth2, and save."
    return Finding(False, text)


def _https(settings: Settings) -> Finding:
    if settings.page.startswith("https://"):
        return Finding(True, f"The page has TLS: {settings.page}")
    text = f"BIGBEN_PAGE is {settings.page}, but Discord shows only pages at https:// addresses."
    return Finding(False, f"{text} docs/operators.md has two proxies with TLS.")


async def _login(
    session: aiohttp.ClientSession, settings: Settings, application: Application
) -> Finding:
    where = f"{settings.page}/login"
    status, answer, _ = await _fetched(session, where)
    try:
        found = msgspec.json.decode(answer, type=_Answer).application
    except msgspec.DecodeError:
        text = f"The bot does not answer at {where} ({_why(status, answer)}):"
        return Finding(False, f"{text} start it, and let your proxy send /login to it.")
    if found != application.id:
        return Finding(False, f"At {where} the bot of another application answers, {found}.")
    return Finding(True, f"The bot answers at {where}")


async def _page(
    session: aiohttp.ClientSession, settings: Settings, application: Application
) -> Finding:
    status, answer, policy = await _fetched(session, f"{settings.page}/")
    if status != 200:
        text = f"The page at {settings.page}/ can't be read ({_why(status, answer)}):"
        return Finding(False, f"{text} start the race server, and see docs/operators.md.")
    if f'data-discord="{application.id}"'.encode() not in answer or _ANCESTOR not in policy:
        text = f"The page does not know the application: give BIGBEN_DISCORD_APP={application.id}"
        return Finding(False, f"{text} to the race server, and restart it.")
    return Finding(True, "The page logs in with Discord, and lets Discord show it in a frame.")


def _activities(application: Application) -> Finding:
    if application.flags & ApplicationFlags(embedded=True).value:
        text = "Activities are enabled. Map / to your host, if you have not: that can't be seen."
        return Finding(True, text)
    text = f"Activities are not enabled, so nobody plays inside Discord: do it {PORTAL},"
    return Finding(False, f"{text} page Activities, and restart the bot.")


async def _fetched(session: aiohttp.ClientSession, url: str) -> tuple[int, bytes, str]:
    """Status, body and policy; 0 for no answer at all, with the reason in place of the body."""
    try:
        async with session.get(url, allow_redirects=False) as response:
            policy = response.headers.get("Content-Security-Policy", "")
            return response.status, await response.read(), policy
    except (aiohttp.ClientError, TimeoutError) as error:
        return 0, (str(error) or "it takes too long").encode(), ""


def _why(status: int, answer: bytes) -> str:
    """What came instead of the right answer: a certificate that is not trusted is no bot away."""
    return f"status {status}" if status else f"no answer: {answer.decode()}"
