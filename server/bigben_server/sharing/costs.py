"""What each message costs the server, in moves: what takes ten times as long as a move costs ten.

The costs are of the work while many players are there: of a race with a hundred seats, of a page of
a hundred rows. `python -m benchmarks.floods` measures what others notice of each.
"""

from collections.abc import Mapping
from typing import Final, get_args

import bigben_protocol as wire

# fmt: off
COSTS: Final[Mapping[type[wire.ClientMessage], int]] = {
    # Answered from memory.
    wire.Move: 1, wire.Ping: 1, wire.Explain: 1, wire.GetLink: 1,
    wire.Leave: 3, wire.Unready: 3, wire.Start: 3, wire.AddHouse: 3, wire.RemoveHouse: 3,
    wire.SendNonce: 3, wire.GetHint: 3, wire.GetGames: 5, wire.GetStandings: 5,
    # Others receive it too, but gathered.
    wire.Cheer: 5,
    # A room, and perhaps a whole position and all standings.
    wire.Ready: 6, wire.Join: 6, wire.Watch: 6, wire.Resume: 6,
    # Answered from the store.
    wire.Hello: 5, wire.GetLeaderboard: 8, wire.GetProfile: 8,
    wire.GetGroups: 5, wire.CreateGroup: 8, wire.JoinGroup: 8, wire.LeaveGroup: 8,
    # More than one of these.
    wire.Create: 10, wire.Rematch: 10, wire.GetCurves: 10, wire.GetAnalysis: 10,
    wire.GetRecord: 20, wire.GetRaces: 20, wire.Tie: 20, wire.LogOut: 10,
    wire.MakeSeason: 20, wire.ChangeSeason: 20, wire.DeleteSeason: 20, wire.SetWebhook: 10,
    wire.GetSeason: 20, wire.GetSeasons: 20, wire.GetAlike: 20,
    wire.Challenge: 10, wire.AnswerChallenge: 10, wire.GetChallenges: 8,
}
# fmt: on
assert COSTS.keys() == {*get_args(wire.ClientMessage)}, "messages without a cost, or unknown"
