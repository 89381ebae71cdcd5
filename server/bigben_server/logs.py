"""The log: a line of text or a JSON object for each event, and nothing secret in any of them."""

import json
import logging
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from datetime import UTC, datetime
from itertools import chain
from typing import Final
from urllib.parse import parse_qsl, quote, unquote, urlsplit

from bigben_server.config import Settings

_log = logging.getLogger(__name__)

CONNECTION: Final[ContextVar[str]] = ContextVar("connection", default="")
"""The id of the connection for which the current task works; it is in the lines of the log."""
_SECRETS: Final = {
    r"eyJ[\w-]{6,}(?:\.[\w-]*)*": "[token]",
    r"\b[0-9a-fA-F]{64,}\b": "[64 digits]",  # a seed or a key
    r"\b([2-9A-HJKMNP-Z]{6})-[2-9A-HJKMNP-Z]{6}\b": r"\1-[invitation]",
    r"\b(?:10|[2-9AJQK])[CDHS]\b": "??",  # a card
}
"""What may get into a line by way of an exception or a request, and what is there instead."""
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


class Lines(logging.Formatter):
    """Makes one line of each record, in which no secret can be read."""

    def __init__(self, *, as_json: bool = False, worker: int = 0, keys: Iterable[str] = ()) -> None:
        """``worker``: which one this process is; 0 if it is the only one or the parent."""
        super().__init__()
        self._as_json = as_json
        self._worker = worker
        hidden = {re.escape(key): "[key]" for key in sorted(keys, key=len, reverse=True)}
        self._secrets = [(re.compile(one), put) for one, put in {**hidden, **_SECRETS}.items()]

    def format(self, record: logging.LogRecord) -> str:
        message = self._without_secrets(record.getMessage())
        trace = self.formatException(record.exc_info) if record.exc_info else ""
        trace = self._without_secrets(trace)
        about = {"worker": self._worker, "connection": CONNECTION.get()}
        told = {name: value for name, value in about.items() if value}
        if self._as_json:
            at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
            told = {"time": at, "level": record.levelname, "logger": record.name, **told}
            told |= {"message": message, "traceback": trace}
            return json.dumps({name: value for name, value in told.items() if value != ""})
        where = "".join(f" [{name} {value}]" for name, value in told.items())
        line = " | ".join([message, *(part.strip() for part in trace.splitlines())])
        line = _CONTROL.sub(lambda found: repr(found[0])[1:-1], line)
        return f"{self.formatTime(record)} {record.levelname}{where} {line}"

    def _without_secrets(self, text: str) -> str:
        for secret, put in self._secrets:
            text = secret.sub(put, text)
        return text


def set_up(settings: Settings) -> None:
    """Log as the settings say, to standard error."""
    handler = logging.StreamHandler()
    as_json = settings.log == "json"
    handler.setFormatter(Lines(as_json=as_json, worker=settings.worker, keys=secrets_of(settings)))
    logging.basicConfig(level=settings.log_level.upper(), handlers=[handler], force=True)
    # Its log lines are about single peers, which receive the reason themselves.
    logging.getLogger("websockets").setLevel(logging.CRITICAL)


def say(settings: Settings, text: str) -> None:
    """Print a line for people. If the log is JSON it goes there, so that every line is JSON."""
    if settings.log == "json":
        _log.info("%s", text)
    else:
        print(text, flush=True)


def complain(settings: Settings, text: str) -> None:
    """Print a line for people to standard error; or say why the process ends in its log."""
    if settings.log == "json":
        _log.critical("%s", text)
    else:
        print(text, file=sys.stderr)


def secrets_of(settings: Settings) -> list[str]:
    """What no line of the log may show."""
    keys = [settings.secret, settings.old_secret, *chain(*settings.issuers.values())]
    with suppress(ValueError):  # a URL that can't be read, about which the operator will hear
        url = urlsplit(settings.redis_url)
        keys += [url.password or "", unquote(url.password or "")]
        for name, value in parse_qsl(url.query):
            if "password" in name:
                keys += [value, quote(value), quote(value, safe="")]
    return [key for key in keys if key]


@contextmanager
def about(connection: str) -> Iterator[None]:
    """Lines that are logged in this block are about the connection with this id."""
    token = CONNECTION.set(connection)
    try:
        yield
    finally:
        CONNECTION.reset(token)
