"""Answers what players ask about a club's seasons."""

from dataclasses import dataclass

import bigben_protocol as wire
from bigben_protocol.sentence import sentence
from bigben_server.race.events import Refusal
from bigben_server.rooms.requests import Request

SeasonMessage = (
    wire.MakeSeason
    | wire.ChangeSeason
    | wire.GetSeason
    | wire.GetSeasons
    | wire.DeleteSeason
    | wire.GetAlike
    | wire.SetWebhook
)


@dataclass(slots=True, eq=False)
class Seasons:
    def answer(self, request: Request, message: SeasonMessage) -> None:
        """Raises Refusal."""
        raise Refusal("busy", sentence("race.updating"))
