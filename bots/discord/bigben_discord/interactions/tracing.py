"""Counts what the bot asks of Discord, as it goes over the network."""

import re
from types import SimpleNamespace
from typing import Final

import aiohttp

from bigben_chat.metrics import MESSAGES, REFUSALS

_TAKEN: Final = (
    ("POST", re.compile(r"/channels/\d+/messages|/webhooks/\d+/[^/]+"), "sent"),
    ("PATCH", re.compile(r".*/messages/[^/]+"), "edited"),
    ("POST", re.compile(r"/interactions/.*/callback"), "answered"),
)
_REASONS: Final = {403: "not_allowed", 404: "gone", 429: "limit"}


def trace() -> aiohttp.TraceConfig:
    """For a client of discord.py, which asks again by itself and tells nobody."""
    config = aiohttp.TraceConfig()
    config.on_request_end.append(_answered)
    config.on_request_exception.append(_failed)
    return config


async def _answered(
    _: aiohttp.ClientSession, __: SimpleNamespace, of: aiohttp.TraceRequestEndParams
) -> None:
    status = of.response.status
    if status >= 400:
        REFUSALS.labels(_REASONS.get(status, "away" if status >= 500 else "other")).inc()
        return
    path = re.sub(r"^/api/v\d+", "", of.url.path)
    for method, pattern, how in _TAKEN:
        if of.method == method and pattern.fullmatch(path):
            MESSAGES.labels(how).inc()


async def _failed(
    _: aiohttp.ClientSession, __: SimpleNamespace, of: aiohttp.TraceRequestExceptionParams
) -> None:
    """Count what got no answer; what the bot itself has cancelled is none of these."""
    if isinstance(of.exception, aiohttp.ClientError | OSError):
        REFUSALS.labels("away").inc()
