"""What is asked of the login service: each body, checked as it is read."""

from typing import Annotated, Final, TypeVar

import msgspec

from bigben_discord.login.refusal import Refusal

MOST_BYTES: Final = 16_384

Secret = Annotated[str, msgspec.Meta(min_length=1, max_length=4_096)]
Challenge = Annotated[str, msgspec.Meta(pattern="^[A-Za-z0-9_-]{43}$")]
Verifier = Annotated[str, msgspec.Meta(pattern="^[A-Za-z0-9._~-]{43,128}$")]
InstanceId = Annotated[str, msgspec.Meta(pattern="^[A-Za-z0-9_-]{0,200}$")]
Race = Annotated[str, msgspec.Meta(pattern="^[A-Za-z0-9._-]{0,80}$")]
"""Also with an invitation, or of a day."""
Short = Annotated[str, msgspec.Meta(max_length=60)]


class Begin(msgspec.Struct, frozen=True):
    """``GET /login``: its query."""

    challenge: Challenge | None = None
    instance: InstanceId = ""


class Finish(msgspec.Struct, frozen=True):
    """``POST /login``."""

    code: Secret
    state: Secret
    verifier: Verifier
    instance: InstanceId = ""
    """In a frame."""
    redirect: str = ""
    """Elsewhere: the address of the page, to which Discord sent the code."""
    lasting: bool = False
    """Whether the token is a link that works once, for a token that lasts."""
    device: Short | None = None
    """The code that a terminal shows."""


class Playing(msgspec.Struct, frozen=True):
    """``POST /login/instance``."""

    token: Secret
    instance: InstanceId
    race: Race


class Ask(msgspec.Struct, frozen=True):
    """``POST /login/device``."""

    client: Short = ""
    host: Short = ""


class Decide(msgspec.Struct, frozen=True):
    """``POST /login/device/confirm``."""

    confirm: Secret
    allow: bool


class Poll(msgspec.Struct, frozen=True):
    """``POST /login/token``."""

    grant_type: Annotated[
        str, msgspec.Meta(pattern="^urn:ietf:params:oauth:grant-type:device_code$")
    ]
    device_code: Secret


Body = TypeVar("Body")


def read(data: object, type: type[Body]) -> Body:
    """JSON as bytes, or a query as a dictionary. Raises Refusal."""
    try:
        if isinstance(data, bytes):
            return msgspec.json.decode(data, type=type)
        return msgspec.convert(data, type)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise Refusal("request", 400) from None
