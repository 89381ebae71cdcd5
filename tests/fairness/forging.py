"""Writes altered receipts with a new seal, as a forger would."""

import json
from dataclasses import replace

from bigben_terminal.receipts.receipt_form import Receipt, facts_of, seal_of


def sealed(receipt: Receipt) -> Receipt:
    """The receipt with the seal that fits it."""
    return replace(receipt, seal=seal_of(receipt))


def write(receipt: Receipt) -> str:
    """The receipt as text."""
    return json.dumps(facts_of(receipt), separators=(",", ":"))
