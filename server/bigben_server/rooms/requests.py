"""What sessions ask, and the decisions that answer them."""

from collections.abc import Mapping
from time import perf_counter

import msgspec

from bigben_protocol import ClientMessage, Elsewhere, PlayerId, RaceId
from bigben_server.homes import Homes
from bigben_server.race import decisions
from bigben_server.race.daily import is_daily
from bigben_server.race.events import Refusal
from bigben_server.race.weeks import is_week
from bigben_server.rooms.session import Session


class Request(decisions.Request, eq=False):
    """A message of a session that waits for its answer."""

    session: Session
    claimed: "RaceId | Request | None" = None
    """The race that it asks to subscribe to, as ``Quotas`` counts it until the answer."""
    house: Mapping[PlayerId, Refusal] | None = None
    """Why house players whom it needs have no seat for it; None while that is not known."""
    is_member: bool = False
    """Whether it is known that its player may race in this season's weeks."""
    at: float = msgspec.field(default_factory=perf_counter)
    """When it came, in seconds."""

    @classmethod
    def of(cls, session: Session, message: ClientMessage) -> "Request":
        """A message that the session has just received."""
        return cls(message, session.player or decisions.NOBODY, session)

    def answered(self) -> None:
        """Release what the request has claimed. Idempotent."""
        if self.claimed is not None:
            self.session.subscriptions.release(self.claimed)
            self.claimed = None

    def refuse(self, refusal: Refusal) -> None:
        """Answer at once with a refusal; nothing has changed."""
        self.answered()
        race = getattr(self.message, "race", "")
        self.session.tell(refusal.message(race, self.ref))


Decision = decisions.Decision[Request]
"""A decision that is answered to a session."""


def entering(decision: Decision, homes: Homes) -> Decision:
    """The same decision about a race that a player enters. At its end it says if the race is served
    better on another connection, to clients that take this.
    """
    assert decision.request is not None, "a timer enters nothing"
    session, race = decision.request.session, decision.race
    spread = is_daily(race) or is_week(race)  # seldom are many of their players there at once
    if not session.elsewhere or spread or homes.is_best(race, session.named):
        return decision
    return msgspec.structs.replace(
        decision, reactions=[*decision.reactions, decisions.Reply(Elsewhere(race))]
    )
