"""Writes the receipt of a closed race from what the server says, without checking it.

``docs/fairness.md`` describes the format; ``bigben verify`` reads it with separate code.
"""

import asyncio
import json
from collections.abc import Sequence
from hashlib import sha256
from typing import Any, Final

from bigben_client.client import Client
from bigben_protocol import FIRST_DEAL, Record, Reveal, Room, Standings
from bigben_protocol.wishes import wish

VERSION: Final = "bigben-receipt-v1"
SECOND: Final = "bigben-receipt-v2"
"""Only of races that a receipt of the first version can't tell: see ``docs/fairness.md``."""

_Fields = dict[str, Any]
"""The fields of a JSON object; ``Any`` is a text, a number, a list or an object."""


async def ask_receipt(client: Client, room: Room, reveal: Reveal) -> str:
    """The receipt as text; empty if nobody played.

    ``room`` must be closed, and ``reveal`` is the Reveal that came when the client followed it.
    """
    standings = await client.all_standings(room.race)
    asked = (client.record(room.race, row.player) for row in standings.rows)
    return write_receipt(room, reveal, standings, await asyncio.gather(*asked))


def write_receipt(
    room: Room, reveal: Reveal, standings: Standings, records: Sequence[Record]
) -> str:
    """The receipt as text, always in the same order, with a line for each field and each seat.

    A daily's players who never began are not in it.
    """
    if not records:
        return ""
    places = {row.player: row.place for row in standings.rows}
    # A live room has all its seats, in the order of the nonces. A daily's room has only some, which
    # differ between viewers, so the order of the places is used there.
    seated = [seat.player for seat in room.seats] if room.kind == "live" else list(places)
    nonces = dict(zip(seated, reveal.nonces, strict=False))
    told = zip(room.nonce_hashes, reveal.nonce_states, strict=False)
    promises = dict(zip(seated, told, strict=False))
    by_player = {record.standing.player: record for record in records}
    seats = [
        _seat(by_player[player], nonces.get(player, ""), places[player], promises.get(player))
        for player in seated
        if player in places
    ]
    chosen = reveal.chosen
    is_new = reveal.mixed_at or reveal.kept_until or chosen.solver != FIRST_DEAL.solver
    facts: _Fields = {
        "version": SECOND if is_new else VERSION,
        "race": room.race,
        "kind": room.kind,
        "game": room.rules.game,
        "rules": room.rules.rules,
        "limit_ms": room.rules.limit_ms,
        "undo": room.rules.undo,
        "opened_at": room.opened_at,
        "starts_at": room.starts_at,
        "closes_at": room.closes_at,
        "commitment": room.commitment,
        "server_seed": reveal.server_seed,
        "seed": reveal.seed,
        "order": records[0].order,
        "seats": seats,
    }
    if room.void:
        facts["void"] = room.void
    if room.counter:
        facts["counter"] = room.counter
    optional = {
        "deal": chosen.deal,
        "grade": chosen.grade,
        "certificate": chosen.certificate,
        "wanted": wish(room),
        "kept_until": reveal.kept_until,
    }
    facts |= {name: value for name, value in optional.items() if value}
    if chosen.solver != FIRST_DEAL.solver:
        facts["solver"] = chosen.solver
    if reveal.mixed_at:
        facts["mixed_at"] = reveal.mixed_at
    seal = sha256(_json(facts, sort_keys=True).encode("ascii")).hexdigest()
    lines = {name: _json(value) for name, value in {**facts, "seal": seal}.items()}
    lines["seats"] = "[\n  " + ",\n  ".join(map(_json, seats)) + "\n ]"
    return "{\n" + ",\n".join(f' "{name}": {value}' for name, value in lines.items()) + "\n}\n"


def _seat(record: Record, nonce: str, place: int, promise: tuple[str, str] | None) -> _Fields:
    standing = record.standing
    hashed, state = promise or ("", "")
    said = {"nonce_hash": hashed, "nonce_state": state}
    return {
        **{name: value for name, value in said.items() if value},
        "player": standing.player,
        "name": standing.name,
        "nonce": nonce,
        "begun_at": record.begun_at,
        "moves": record.moves,
        "result": {
            "state": standing.state,
            "moves": standing.moves,
            "home": standing.home,
            "ms": standing.ms,
            "home_ms": standing.home_ms,
        },
        "place": place,
    }


def _json(value: object, *, sort_keys: bool = False) -> str:
    return json.dumps(value, separators=(",", ":"), sort_keys=sort_keys)
