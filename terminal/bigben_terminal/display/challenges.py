"""The sentences about challenges."""

from collections.abc import Iterator

from bigben_protocol import ChallengeInfo
from bigben_terminal.display import headings
from bigben_terminal.display.faces import safe
from bigben_terminal.language import say


def said(what: str, one: ChallengeInfo) -> str:
    """A sentence about a challenge, such as ``received``."""
    game = headings.of_rules(one.game, one.rules)
    return say(f"challenge.{what}", name=safe(one.name), game=game)


def way_on(one: ChallengeInfo, options: str) -> Iterator[str]:
    """What to type about a challenge that was accepted, or that one has received."""
    if one.race:
        yield say("challenge.enter", race=one.race, options=options)
    else:
        yield say("challenge.answer", who=one.player, options=options)


def news(one: ChallengeInfo, options: str, *, received: bool) -> Iterator[str]:
    """What is said at once: that a challenge has come, or what became of one."""
    if one.state == ("waiting" if received else "accepted"):
        yield said("received" if received else "accepted", one)
        yield from way_on(one, options)
    elif not received and one.state != "waiting":
        yield said(one.state, one)
