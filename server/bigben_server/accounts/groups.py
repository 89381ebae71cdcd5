"""Groups of players: what they may be called, and who may speak for which. No Redis.

A front end speaks for its own groups in its tokens: ``discord:`` and a server's id. Players make
groups too; those have no colon in their id, so that the two can never meet.
"""

import re
from collections.abc import Iterable
from typing import Final
from unicodedata import category

from bigben_server.accounts.names import BadName, display_name
from bigben_server.race.lobby import RandomBytes, letters
from bigben_server.scoring.divisions import BOTS, GUESTS

MOST_CLAIMED: Final = 50
"""Groups in one token."""
MOST_JOINED: Final = 20
"""Groups made by players that one player may belong to."""
CODE_LENGTH: Final = 8
LONGEST_ID: Final = 64

_CLAIMED: Final = re.compile(r"[a-z0-9-]{1,32}:[A-Za-z0-9_.-]{1,63}")


class BadGroup(Exception):
    """A token speaks for a group it can't speak for. Its message is a sentence."""


def claimed(issuer: str, groups: Iterable[str]) -> frozenset[str]:
    """The groups that an issuer says a player belongs to. Raises BadGroup for others' groups."""
    said = frozenset(groups)
    if len(said) > MOST_CLAIMED:
        raise BadGroup(f"A token names at most {MOST_CLAIMED} groups.")
    for group in sorted(said):
        if not (group.startswith(f"{issuer}:") and _CLAIMED.fullmatch(group)):
            raise BadGroup(f"This token's issuer can't speak for the group {group[:40]!r}.")
    return said


def issuer_of(group: str) -> str:
    """Who speaks for a group, or for a player; empty for groups that players made."""
    issuer, colon, _ = group.partition(":")
    return issuer if colon else ""


def id_for(name: str) -> str:
    """The id of a group that is to be called ``name``; names that look alike share it.

    Raises BadName.

    >>> id_for("The  Aces!"), id_for("the aces")
    ('the-aces', 'the-aces')
    """
    shown = display_name(name)
    kept = (letter if category(letter)[0] in "LMN" else " " for letter in shown.casefold())
    group = "-".join("".join(kept).split())[:LONGEST_ID]
    if not group or group in (BOTS, GUESTS):
        raise BadName(f"A group can't be called {shown!r}; choose another name.")
    return group


def new_code(random_bytes: RandomBytes) -> str:
    """What to join by: one of 31^8."""
    return letters(random_bytes, CODE_LENGTH)


def code_named(text: str) -> str:
    """A code as it was typed, in any case and with spaces or dashes."""
    return text.upper().replace("-", "").replace(" ", "")
