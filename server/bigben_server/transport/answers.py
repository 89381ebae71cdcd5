"""What plain HTTP is answered with, and the tag by which a cache knows it. Knows no socket."""

import hashlib
import http
from typing import NamedTuple


class Answer(NamedTuple):
    """A response, but for what every response has."""

    status: http.HTTPStatus
    body: bytes
    headers: dict[str, str]


def tag_of(body: bytes) -> str:
    """The ETag of a body."""
    return f'"{hashlib.sha256(body).hexdigest()[:24]}"'
