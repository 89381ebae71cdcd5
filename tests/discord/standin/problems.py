"""The errors that Discord answers with, by its own codes."""

from typing import Any, Final

Json = dict[str, Any]
"""What is sent and received; its shape is the subject of ``contract.py``."""


class Problem(Exception):
    """An answer that is no success."""

    def __init__(self, status: int, code: int, text: str, **more: object) -> None:
        super().__init__(f"{status} {code}: {text}")
        self.status = status
        self.body: Json = {"code": code, "message": text, **more}


def invalid(text: str) -> Problem:
    """The body does not fit, and which part of it."""
    errors = {"_errors": [{"code": "BAD", "message": text}]}
    return Problem(400, 50035, f"Invalid Form Body: {text}", errors=errors)


UNAUTHORIZED: Final = Problem(401, 0, "401: Unauthorized")
BAD_AGENT: Final = Problem(403, 40333, "internal network error")
NOT_FOUND: Final = Problem(404, 0, "404: Not Found")
UNKNOWN_CHANNEL: Final = Problem(404, 10003, "Unknown Channel")
UNKNOWN_MESSAGE: Final = Problem(404, 10008, "Unknown Message")
UNKNOWN_ROLE: Final = Problem(404, 10011, "Unknown Role")
UNKNOWN_USER: Final = Problem(404, 10013, "Unknown User")
UNKNOWN_WEBHOOK: Final = Problem(404, 10015, "Unknown Webhook")
UNKNOWN_INTERACTION: Final = Problem(404, 10062, "Unknown interaction")
ALREADY_ACKNOWLEDGED: Final = Problem(400, 40060, "Interaction has already been acknowledged.")
MISSING_ACCESS: Final = Problem(403, 50001, "Missing Access")
NOT_YOURS: Final = Problem(403, 50005, "Cannot edit a message authored by another user")
EMPTY_MESSAGE: Final = Problem(400, 50006, "Cannot send an empty message")
MISSING_PERMISSIONS: Final = Problem(403, 50013, "Missing Permissions")
TOKEN_EXPIRED: Final = Problem(401, 50027, "Invalid Webhook Token")
THREAD_ARCHIVED: Final = Problem(400, 50083, "Thread is archived")
ENTRY_POINT_MISSING: Final = Problem(
    400, 50240, "You cannot remove this app's Entry Point command in a bulk update operation."
)
TOO_LARGE: Final = Problem(413, 40005, "Request entity too large")
TOO_MANY_OLD_EDITS: Final = "Maximum number of edits to messages older than 1 hour reached"
