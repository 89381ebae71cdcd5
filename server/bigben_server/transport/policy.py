"""Which requests the operator's policy refuses, before anything else is read of them."""

from http import HTTPStatus
from typing import Final

from websockets import Request, Response

from bigben_server.rooms.admin.policy import MOVES_AWAY, Policy
from bigben_server.transport.http import asks_for_websocket
from bigben_server.transport.responses import plain_text
from bigben_server.transport.status import is_about_status

_RETRY_S: Final = "2"
"""A proxy asks another process at once; clients of this one may find it by then."""


def turned_away(request: Request, address: str, policy: Policy) -> Response | None:
    """The refusal of a banned address, or of a WebSocket that another process takes; else None."""
    if (banned := policy.banned(address)) and not is_about_status(request.path):
        return plain_text(HTTPStatus.FORBIDDEN, str(banned), {"Cache-Control": "no-store"})
    if policy.sends_away and asks_for_websocket(request):
        headers = {"Retry-After": _RETRY_S, "Cache-Control": "no-store"}
        return plain_text(HTTPStatus.SERVICE_UNAVAILABLE, MOVES_AWAY, headers)
    return None
