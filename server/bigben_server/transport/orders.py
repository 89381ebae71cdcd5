"""What the operator's orders mean for a request: who gets no answer here, and why."""

from http import HTTPStatus
from typing import Final

from websockets import Request, Response

from bigben_server.rooms.operators.standing import MOVES_AWAY, StandingOrders
from bigben_server.transport.http import asks_for_websocket
from bigben_server.transport.responses import sentence
from bigben_server.transport.status import is_about_status

_RETRY_S: Final = "2"
"""A proxy asks another process at once; clients of this one may find it by then."""


def turned_away(request: Request, address: str, standing: StandingOrders) -> Response | None:
    """The refusal of a banned address, or of a WebSocket that another process takes; else None."""
    if (why := standing.banned(address)) and not is_about_status(request.path):
        return sentence(HTTPStatus.FORBIDDEN, why, {"Cache-Control": "no-store"})
    if standing.sends_away and asks_for_websocket(request):
        headers = {"Retry-After": _RETRY_S, "Cache-Control": "no-store"}
        return sentence(HTTPStatus.SERVICE_UNAVAILABLE, MOVES_AWAY, headers)
    return None
