"""Tables that complete the messages: which answer each has, and what refusals and closes mean.

Documents, clients and tests read them; the server does not.
"""

from collections.abc import Mapping
from typing import Final

from bigben_protocol.client_messages import (
    AddHouse,
    AnswerChallenge,
    Challenge,
    ChangeSeason,
    Cheer,
    ClientMessage,
    Create,
    CreateGroup,
    DeleteSeason,
    Explain,
    GetAlike,
    GetAnalysis,
    GetChallenges,
    GetCurves,
    GetGames,
    GetGroups,
    GetHint,
    GetLeaderboard,
    GetLink,
    GetProfile,
    GetRaces,
    GetRecord,
    GetSeason,
    GetSeasons,
    GetStandings,
    Hello,
    Join,
    JoinGroup,
    Leave,
    LeaveGroup,
    LogOut,
    MakeSeason,
    Move,
    Ping,
    Ready,
    Rematch,
    RemoveHouse,
    Resume,
    SendNonce,
    SetWebhook,
    Start,
    Tie,
    Unready,
    Watch,
)
from bigben_protocol.server_messages import (
    Alike,
    Analysis,
    Announcement,
    Challenges,
    Cheers,
    Curves,
    Diff,
    Elsewhere,
    Games,
    Groups,
    Hint,
    Leaderboard,
    Left,
    Link,
    LoggedOut,
    Pong,
    Profile,
    Progress,
    Races,
    Reason,
    Record,
    Reveal,
    Room,
    Season,
    Seasons,
    ServerMessage,
    Snapshot,
    Standings,
    Tied,
    Webhook,
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
    SendNonce: Room,
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
    GetGames: Games,
    GetRaces: Races,
    GetCurves: Curves,
    Explain: Reason,
    GetLink: Link,
    Ping: Pong,
    AddHouse: Room,
    RemoveHouse: Room,
    GetHint: Hint,
    GetAnalysis: Analysis,
    Cheer: Cheers,
    Tie: Tied,
    LogOut: LoggedOut,
    MakeSeason: Season,
    ChangeSeason: Season,
    GetSeason: Season,
    GetSeasons: Seasons,
    DeleteSeason: Seasons,
    GetAlike: Alike,
    SetWebhook: Webhook,
    Challenge: Challenges,
    AnswerChallenge: Challenges,
    GetChallenges: Challenges,
}
"""The answer to each request. Every request except Ping may be answered by Refused instead.

An answer has the ``ref`` of its request, or the ``n`` of a Move. What follows an answer, such as
the Snapshot after a Room, is an update.
"""

UPDATES: Final[tuple[type[ServerMessage], ...]] = (
    Room,
    Snapshot,
    Diff,
    Progress,
    Standings,
    Reveal,
    Announcement,
    Elsewhere,
    Cheers,
    Challenges,
)
"""What a connection receives without a request; all but Announcement and
Challenges if it follows a race. A
house player also receives the Room in which a host has given it a seat.
Snapshots and Diffs go only to the player whose game it is, and Reveal goes to everybody once the
race is closed."""

REFUSALS: Final[Mapping[Code, str]] = {
    "hello": "Hello is missing, or was said twice.",
    "token": "The token is forged, broken, of an unknown issuer, or has expired.",
    "name": "The name is empty, too long, taken, or has characters that can't be shown.",
    "unknown": "No such race, day, player, group or season.",
    "illegal": "The rules of the game forbid the move here.",
    "notation": "The text is not a move in any position.",
    "conflict": "Another move of this number was played, or the seat is ready with another nonce.",
    "gap": "A move before this one is missing: it does not have the seat's next number.",
    "phase": "This kind of race does not allow it now.",
    "seat": "The player has no seat here, or not the seat that this needs, or is banned.",
    "rules": "No such game or rules.",
    "seed": "The seed is not 64 hex digits, may not be chosen here, or is of an open race.",
    "rate": "Too many messages at once; close 1008 follows.",
    "limit": "A limit of the server is reached.",
    "busy": "The server can't do this now; the same request may succeed later.",
    "board": "The board does not exist, or not yet.",
}
"""What each code of a refusal means, for the author of a client."""

CLOSES: Final[Mapping[int, str]] = {
    1000: "The client has left. Its seats stay.",
    1002: "The bytes were not WebSocket frames.",
    1007: "A frame was not a message; the reason names the field. Don't send it again.",
    1008: "No Hello, a bad token, too fast, or banned. Don't reconnect before that has changed.",
    1009: "A frame was too big.",
    1011: "The server failed, and has logged the error. Reconnect.",
    1012: "The server restarts. Reconnect in a moment, and resume.",
    1013: (
        "The store is away for now, or too many connect from your address. Reconnect later, and "
        "resume."
    ),
}
"""What each close code means. A client reports 1006 when a connection broke without a close frame;
it should reconnect and resume."""
