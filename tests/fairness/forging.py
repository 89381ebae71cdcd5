"""Writes altered receipts with a new seal, as a forger would."""

import json
from dataclasses import asdict, replace

from bigben_terminal.receipts.receipt_form import Receipt, seal_of


def sealed(receipt: Receipt) -> Receipt:
    """The receipt with the seal that fits it."""
    return replace(receipt, seal=seal_of(receipt))


def write(receipt: Receipt) -> str:
    """The receipt as text."""
    facts = asdict(receipt)
    optional = ("void", "counter", "deal", "grade", "certificate", "wanted")
    kept = {name: facts[name] for name in facts if facts[name] or name not in optional}
    return json.dumps(kept, separators=(",", ":"))
