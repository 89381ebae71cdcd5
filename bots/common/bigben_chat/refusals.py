"""What a user is told when a request fails."""

import logging
from collections.abc import Iterable

from bigben_chat.cards import with_signs
from bigben_chat.platform import Sorry
from bigben_chat.texts import Say
from bigben_chat.tree import Quoted, Text
from bigben_client import ClientClosed, RefusedError, ServerUnreachable
from bigben_protocol.sentence import Said

_log = logging.getLogger(__name__)


def sentence(error: Exception, say: Say) -> Text:
    """What went wrong, in a sentence; it is logged if it should not happen."""
    match error:
        case Sorry():
            return error.text
        case RefusedError(code="token"):
            _log.error("the race server does not take our tokens: %s", error)
            return say("wrong.key")
        case RefusedError():
            return refusal(error, say)
        case TimeoutError() | ServerUnreachable() | ClientClosed():
            return say("wrong.away")
        case _:
            _log.error("a request went wrong", exc_info=error)
            return say("wrong.mistake")


def refusal(error: RefusedError, say: Say) -> Text:
    """What the server has refused and why, in the user's language."""
    return say(
        f"refused.{error.code}", text=(Quoted(with_signs(say.told(error.said, error.text))),)
    )


def said(sentences: Iterable[Said], english: str, say: Say) -> Text:
    """What the server says in the user's language, with the signs of suits."""
    return (Quoted(with_signs(say.told(sentences, english))),)
