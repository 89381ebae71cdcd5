"""Writes server/bigben_server/openapi.json: the HTTP API as OpenAPI 3.1, from the structs.

``python -m tools.describe_api`` writes it; with ``--check`` it fails if the file is stale.
"""

import argparse
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from tools.attribute_docs import PROTOCOL, Json, schemas_of

from bigben_protocol import (
    Games,
    GetLeaderboard,
    GetProfile,
    Leaderboard,
    Profile,
    RaceInfo,
    Season,
)
from bigben_server.transport.http import LEADERBOARD_PARAMETERS, PROFILE_PARAMETERS, Problem
from bigben_server.transport.status import Version

ROOT = Path(__file__).parent.parent
FILE = ROOT / "server" / "bigben_server" / "openapi.json"
SERVER = ROOT / "server" / "bigben_server"
PLAYER: Final = {"type": "string", "maxLength": 128}


def main() -> None:
    """Write the file, or exit with a message if ``--check`` finds it stale."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing; fail if stale")
    if not parser.parse_args().check:
        FILE.write_text(text())
    elif not FILE.exists() or FILE.read_text() != text():
        sys.exit(f"{FILE.relative_to(ROOT)} is stale: run `make docs` and commit it")


def text() -> str:
    """The file as it should be."""
    return json.dumps(document(), indent=2) + "\n"


def document() -> Json:
    schemas = schemas_of(
        [
            *(Games, GetLeaderboard, GetProfile, Leaderboard, Profile, RaceInfo, Season),
            *(Problem, Version),
        ],
        [*PROTOCOL, SERVER / "transport" / "http.py", SERVER / "transport" / "status.py"],
        "#/components/schemas/{name}",
    )
    asked = {name: schemas.pop(name) for name in ("GetLeaderboard", "GetProfile")}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Big Ben race server: boards, profiles, races and games",
            "version": "1.0.0",
            "description": (
                "Read-only, for web pages of any origin. All changes go over the WebSocket, which "
                "`docs/protocol/asyncapi.json` describes."
            ),
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "http://127.0.0.1:8765", "description": "`bigben serve`"}],
        "paths": {
            "/api/leaderboard": _get(
                "leaderboard",
                "A page of a board",
                Leaderboard,
                [
                    *_parameters(asked["GetLeaderboard"], LEADERBOARD_PARAMETERS),
                    _query("player", PLAYER, "A player's id, to get their row too."),
                ],
            ),
            "/api/players/{player}": _get(
                "profile",
                "A player's streaks, records and ratings",
                Profile,
                [
                    {**_query("player", PLAYER, "A player's id."), "in": "path", "required": True},
                    *_parameters(asked["GetProfile"], PROFILE_PARAMETERS),
                ],
            ),
            "/api/races/{race}": _get(
                "race",
                "A race in short, as an invitation shows it",
                RaceInfo,
                [
                    {
                        **_query(
                            "race",
                            {"type": "string", "maxLength": 64},
                            "A room's code; for a room by invitation with the invitation, "
                            "`K7QPXM-4TZ8QN`, without which nobody is named; or a daily's name.",
                        ),
                        "in": "path",
                        "required": True,
                    }
                ],
            ),
            "/api/seasons/{season}": _get(
                "season",
                "A club's season: its weeks, its table, and what was changed",
                Season,
                [
                    {
                        **_query(
                            "season", {"type": "string", "maxLength": 16}, "Its id, `K7QPXM2A`."
                        ),
                        "in": "path",
                        "required": True,
                    }
                ],
            ),
            **{
                f"/api/seasons/{{season}}.{ending}": _file(f"season_{ending}", summary, kind)
                for ending, kind, summary in (
                    ("csv", "text/csv", "The results of a season, a line for each"),
                    ("ics", "text/calendar", "The weeks of a season, as a calendar"),
                )
            },
            "/api/games": _get("games", "The games of this server", Games, []),
            "/api/openapi.json": {
                "get": {
                    "operationId": "openapi",
                    "summary": "This description",
                    "responses": {"200": {"description": "OpenAPI 3.1", "content": {
                        "application/json": {"schema": {"type": "object"}}}}},
                }
            },
            "/health": _status("health", "Whether the process lives", {"200": "`ok`"}),
            "/ready": _status(
                "ready",
                "Whether new players should be sent to this process",
                {
                    "200": "`ready`",
                    "503": "Why not: its store does not answer, or it is drained.",
                },
            ),
            "/version": {
                "get": {
                    "operationId": "version",
                    "summary": "The version of the server, and its subprotocols",
                    "responses": {"200": _response("The answer.", Version)},
                }
            },
        },
        "components": {"schemas": schemas},
    }  # fmt: skip


def _get(name: str, summary: str, answer: type, parameters: list[Json]) -> Json:
    return {
        "get": {
            "operationId": name,
            "summary": summary,
            "parameters": parameters,
            "responses": {
                "200": _response("The answer, with an ETag and a time to cache it.", answer),
                "304": {"description": "Unchanged since the version in `If-None-Match`."},
                "400": _response("A parameter is wrong."),
                "403": _response("The invitation is not one to this room."),
                "404": _response("No such day, game, rules, player, group, race or season."),
                "429": _response("Too many requests come from your address; wait a moment."),
                "500": _response("The server failed, and has logged the error."),
                "503": _response("The store is away; come back in a moment."),
            },
        }
    }


def _file(name: str, summary: str, kind: str) -> Json:
    """A path of a season that answers with a file."""
    season = _query("season", {"type": "string", "maxLength": 16}, "Its id, `K7QPXM2A`.")
    language = _query("lang", {"type": "string"}, "The language, `de`; English without one.")
    asked = [{**season, "in": "path", "required": True}]
    described = _get(name, summary, Season, asked + [language] * (kind == "text/calendar"))
    described["get"]["responses"]["200"]["content"] = {kind: {"schema": {"type": "string"}}}
    return described


def _status(name: str, summary: str, answers: dict[str, str]) -> Json:
    """A path that answers with a sentence."""
    text = {"text/plain": {"schema": {"type": "string"}}}
    responses = {code: {"description": told, "content": text} for code, told in answers.items()}
    return {"get": {"operationId": name, "summary": summary, "responses": responses}}


def _response(description: str, answer: type | None = None) -> Json:
    schema = {"$ref": f"#/components/schemas/{answer.__name__ if answer else 'Problem'}"}
    return {"description": description, "content": {"application/json": {"schema": schema}}}


def _parameters(question: Json, names: Iterable[str]) -> list[Json]:
    properties = question["properties"]
    return [
        _query(name, {k: v for k, v in properties[name].items() if k != "description"},
               properties[name].get("description", ""))
        for name in names
        if name in properties
    ]  # fmt: skip


def _query(name: str, schema: Json, description: str) -> Json:
    said = {"description": description} if description else {}
    return {"name": name, "in": "query", "required": False, **said, "schema": schema}


if __name__ == "__main__":
    main()
