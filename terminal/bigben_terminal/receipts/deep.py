"""Checks that the deal of a race is the first of its seed that passes: looks at every one before.

It searches and grades each deal as the server did, so it needs the solver, and minutes.
"""

from collections.abc import Callable
from hashlib import sha256

from bigben_solver.choosing import VERSION, tried
from bigben_solver.games import DEALS
from bigben_terminal.receipts.fairness import WINNABLE, of_another_solver
from bigben_terminal.receipts.receipt_form import Altered, Receipt

Progress = Callable[[int, int], None]
"""Told how many deals were tried, and of how many at most."""


def check_choice(receipt: Receipt, progress: Progress) -> str:
    """A sentence for what holds. ``fairness.check`` must have passed. Raises Altered."""
    if receipt.solver != VERSION:
        return f"choice: {of_another_solver(receipt)}"
    grade = receipt.grade if receipt.wanted in ("", WINNABLE) else receipt.wanted
    if not receipt.certificate:
        return _not_found(receipt, grade, progress)
    for n in range(receipt.deal + 1):
        progress(n, receipt.deal + 1)
        passes = _passes(receipt, n, grade)
        if passes and n < receipt.deal:
            raise Altered(f"deal is {receipt.deal}; deal {n} passes already.")
        if not passes and n == receipt.deal:
            raise Altered(f"deal is {n}, which does not pass.")
    return f"choice: deal {receipt.deal} is the first that passes"


def _not_found(receipt: Receipt, grade: str, progress: Progress) -> str:
    if not receipt.wanted:
        return "choice: none; this race has the first deal of its seed"
    for n in range(DEALS):
        progress(n, DEALS)
        if _passes(receipt, n, grade):
            return f"choice: not made in time; deal {n} would have passed"
    return "choice: none of the deals passes"


def _passes(receipt: Receipt, n: int, grade: str) -> bool:
    seed = bytes.fromhex(receipt.server_seed)
    if receipt.kind == "live":
        nonces = "".join(seat.nonce for seat in receipt.seats)
        seed = sha256(seed + bytes.fromhex(nonces)).digest()
    return tried(seed, n, receipt.game, receipt.rules, grade=grade) is not None
