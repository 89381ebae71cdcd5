"""What no struct says: who answers what, why something is refused, why a connection closes.

Tables for documents, clients and tests; nothing here runs.
"""

from collections.abc import Mapping
from typing import Final

from bigben_protocol.client_messages import (
    ClientMessage,
    Create,
    CreateGroup,
    GetGroups,
    GetLeaderboard,
    GetLink,
    GetProfile,
    GetRecord,
    GetStandings,
    Hello,
    Join,
    JoinGroup,
    Leave,
    LeaveGroup,
    Move,
    Ping,
    Ready,
    Rematch,
    Resume,
    Start,
    Unready,
    Watch,
)
from bigben_protocol.server_messages import (
    Diff,
    Groups,
    Leaderboard,
    Left,
    Link,
    Pong,
    Profile,
    Progress,
    Record,
    Reveal,
    Room,
    ServerMessage,
    Snapshot,
    Standings,
    Welcome,
)
from bigben_protocol.types import Code

ANSWERS: Final[Mapping[type[ClientMessage], type[ServerMessage]]] = {
    Hello: Welcome,
    Create: Room,
    Join: Room,
    Watch: Room,
    Leave: Left,
    Ready: Room,
    Unready: Room,
    Start: Room,
    Rematch: Room,
    Move: Diff,
    Resume: Room,
    GetStandings: Standings,
    GetRecord: Record,
    GetLeaderboard: Leaderboard,
    GetProfile: Profile,
    CreateGroup: Groups,
    JoinGroup: Groups,
    LeaveGroup: Groups,
    GetGroups: Groups,
    GetLink: Link,
    Ping: Pong,
}
"""The answer to each message; Refused is the other one, to every message but Ping.

It has the ``ref`` of what it answers, or the ``n`` of a Move. All that follows an answer, the
Snapshot after a Room for one, is news.
"""

NEWS: Final[tuple[type[ServerMessage], ...]] = (
    Room,
    Snapshot,
    Diff,
    Progress,
    Standings,
    Reveal,
)
"""What comes unasked to those who follow a race; a Diff to its player on their other connections,
a Snapshot to its player, and a Reveal to all once the race is closed."""

REFUSALS: Final[Mapping[Code, str]] = {
    "hello": "Hello is missing, or was said twice.",
    "token": "The token is forged, broken, of an unknown issuer, or has expired.",
    "name": "The name is empty, too long, taken, or has characters that can't be shown.",
    "unknown": "No such race, day, player or group.",
    "illegal": "The rules of the game forbid the move here.",
    "notation": "The text is not a move in any position.",
    "conflict": "Another move of this number was played, or the seat is ready with another nonce.",
    "gap": "A move before this one is missing: it does not have the seat's next number.",
    "phase": "Not at this time of this kind of race.",
    "seat": "The player has no seat here, or not the one this needs.",
    "rules": "No such game or rules.",
    "seed": "The seed is not 64 hex digits, may not be chosen here, or is of an open race.",
    "rate": "Too many messages at once; close 1008 follows.",
    "limit": "A limit of the server is reached.",
    "busy": "The server can't do this now; the same again later may succeed.",
    "board": "No such board, or not yet.",
}
"""Why something was refused, in words for the one who writes a client."""

CLOSES: Final[Mapping[int, str]] = {
    1000: "The client has left. Its seats stay.",
    1002: "The bytes were no WebSocket frames.",
    1007: "A frame was no message; the reason names the field. Don't send it again.",
    1008: "Against the rules of the house: no Hello, a bad token, too fast. Don't come back as is.",
    1009: "A frame was too big.",
    1011: "The server made a mistake, and has logged it. Come back.",
    1012: "The server restarts. Come back in a moment, and resume.",
    1013: "The store is away for now. Come back later, and resume.",
}
"""Why a connection was closed, by close code. 1006 is what a client calls a connection that broke
without a close: it comes back, and resumes."""
