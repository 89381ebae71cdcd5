"""What this server lets a player do now, whatever the race says: orders, limits, versions."""

from collections.abc import Callable
from dataclasses import dataclass

from bigben_protocol import AddHouse, Cheer, Join, Move, Ready, Start
from bigben_server.race.deciding import may_take_seat, takes_other_name
from bigben_server.race.events import Readied, check_version
from bigben_server.rooms.admin.policy import Policy
from bigben_server.rooms.quotas import Quotas
from bigben_server.rooms.requests import Request
from bigben_server.rooms.room import Room


@dataclass(slots=True, eq=False)
class Gate:
    policy: Policy
    quotas: Quotas
    data_version: Callable[[], int]

    def check(self, room: Room, request: Request, now: int) -> None:
        """Raises Refusal for what the operator forbids, or is asked for too often.

        Call it right before the decision: the request may have waited for its race.
        """
        self.policy.check_session(request.session)
        race = room.race
        match request.message:
            case Move():  # first, because most are
                pass
            case AddHouse(strength=strength):
                self.policy.check_house(strength, self.quotas.players())
                for refusal in (request.house or {}).values():
                    raise refusal
            case Ready(nonce_hash=promised):
                if promised:
                    check_version(Readied(request.player.id, "", 0, promised), self.data_version())
                self.policy.check_ready(race, request.player.id)
            case Start():
                self.policy.check_ready(race, request.player.id)
            case Join() if may_take_seat(race, request.player.id, now):
                self.quotas.check_seat(request, now)
            case Join() if renamed := takes_other_name(race, request.player, now):
                check_version(renamed, self.data_version())
            case Cheer():
                room.check_follows(request.session)
                self.quotas.cheers.check(request, now)
            case _:
                pass
