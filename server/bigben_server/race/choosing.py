"""How a live race comes to its deal in the countdown: nonces are mixed, then the deal is chosen.

Nobody may choose the deal, so seats and hashes of nonces are fixed before any nonce is sent that
only its player knows; see ``docs/fairness.md``. A room may ask for a deal that can be won, or for
one of a grade: it is the first one that passes, of those that the seed gives.
``bigben_solver.choosing`` decides it, by the seed alone.
"""

from typing import Final, get_args

from bigben_protocol import FIRST_DEAL, Chosen, Create, Grade, Rules
from bigben_protocol.sentence import sentence
from bigben_server.race.events import Counted, Dealt, Mixed, Refusal, Searched
from bigben_solver.games import CERTIFIED, DEALS, GRADED

COUNTDOWN_MS = 3_000
CHOOSING_MS: Final = 15_000
"""A countdown waits so long for its deal, and so does the player who opens another room. It waits
on while deals are ruled out: a server that is busy, or was killed, finds the deal later."""
MOST_SEARCHES: Final = 40
"""So often a countdown may be prolonged. Each time stands for about a second of a process."""
UNATTENDED_MS: Final = 5_000
"""Nobody looks for a deal of which nothing was written for so long: another process takes over."""
MIXING_MS: Final = 3_000
"""How long players' clients have to send their nonces."""
ALONE_MS: Final = 1_000
"""If the end of that time is noticed this much too late, no process was there to take nonces."""
_GRADES: Final = tuple(grade for grade in get_args(Grade) if grade)


def asked(wanted: Create) -> tuple[bool, Grade]:
    """Whether the requested room needs a deal that can be won, and of which grade.

    Raises Refusal if no deal can be chosen for it.
    """
    if not wanted.winnable and not wanted.grade:
        return False, ""
    if wanted.seed or wanted.daily:
        raise Refusal("rules", sentence("deal.chosen"))
    if wanted.game not in CERTIFIED:
        raise Refusal("rules", sentence("deal.winnable_games", games=" and ".join(CERTIFIED)))
    if not wanted.grade:
        return True, ""
    for grade in _GRADES:
        if grade == wanted.grade and wanted.game in GRADED:
            return True, grade
    if wanted.game not in GRADED:
        raise Refusal("rules", sentence("deal.graded_games", games=" and ".join(GRADED)))
    text = sentence("deal.no_grade", grade=repr(wanted.grade), grades=", ".join(_GRADES))
    raise Refusal("rules", text)


def opens_with_deal(wanted: Create) -> bool:
    """Whether the deal of the requested room is chosen before the room is opened.

    No nonces are mixed into its seed, so nothing is gained by waiting.
    """
    asks = wanted.winnable or bool(wanted.grade)
    return asks and (wanted.practice or wanted.deadline_at > 0)


def counted(rules: Rules, now: int, *, waits: bool) -> Counted:
    """The countdown begins, or first the wait for nonces."""
    return Counted(now + (MIXING_MS if waits else _countdown_ms(rules)), now)


def mixed(rules: Rules, now: int) -> Mixed:
    """All nonces are here, or their time is over."""
    return Mixed(now + _countdown_ms(rules), now)


def _countdown_ms(rules: Rules) -> int:
    """Until the clocks start, or until the search for a deal is given up."""
    return CHOOSING_MS if rules.winnable else COUNTDOWN_MS


def dealt(chosen: Chosen, now: int) -> Dealt:
    """The deal of a live race was chosen."""
    return Dealt(chosen, now + COUNTDOWN_MS, now)


def not_found(now: int) -> Dealt:
    """No deal was found in time."""
    return dealt(FIRST_DEAL, now)


def searched(before: Searched, deals: int, now: int) -> Searched:
    """So many deals are ruled out now, and the countdown waits on."""
    return Searched(max(deals, before.deals), max(before.until, now + CHOOSING_MS), now)


def is_exhausted(deals: int) -> bool:
    """Whether a race looks at no more deals than these."""
    return deals >= DEALS
