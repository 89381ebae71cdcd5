"""An asyncio client of the race server that reconnects by itself."""

from bigben_client.client import Client
from bigben_client.connection.backoff import Backoff
from bigben_client.errors import (
    BadAddress,
    ClientClosed,
    ClientError,
    RefusedError,
    ServerUnreachable,
)
from bigben_client.evidence.fairness import Finding, check, lies, unchecked
from bigben_client.evidence.kept import Kept
from bigben_client.receipt import ask_receipt, write_receipt
from bigben_client.session.event_queue import Back, Event, Lost

__all__ = [
    "Back",
    "Backoff",
    "BadAddress",
    "Client",
    "ClientClosed",
    "ClientError",
    "Event",
    "Finding",
    "Kept",
    "Lost",
    "RefusedError",
    "ServerUnreachable",
    "ask_receipt",
    "check",
    "lies",
    "unchecked",
    "write_receipt",
]
