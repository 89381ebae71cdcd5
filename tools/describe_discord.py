"""Writes tests/discord/standin/discord_api.json: what Discord accepts in the requests that we send.

``python -m tools.describe_discord OPENAPI`` makes it from ``openapi.json``, which Discord publishes
about its HTTP API; with ``--check`` it fails if our file is stale. The file has only the routes and
schemas named below, and the tests refuse every other key. To send a new key, add its schema here.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Any, Final

ROOT = Path(__file__).parent.parent
FILE = ROOT / "tests" / "discord" / "standin" / "discord_api.json"

Json = Any
"""Any: a part of a JSON document, of whatever shape."""

_MESSAGES: Final = "/channels/{channel_id}/messages"
_HOOK: Final = "/webhooks/{webhook_id}/{webhook_token}"
_MEMBER_ROLE: Final = "/guilds/{guild_id}/members/{user_id}/roles/{role_id}"
ROUTES: Final = (
    "GET /users/@me",
    "GET /oauth2/applications/@me",
    "GET /applications/@me",
    "GET /applications/{application_id}/activity-instances/{instance_id}",
    "POST /users/@me/channels",
    "GET /applications/{application_id}/commands",
    "PUT /applications/{application_id}/commands",
    "POST /guilds/{guild_id}/roles",
    f"PUT {_MEMBER_ROLE}",
    f"DELETE {_MEMBER_ROLE}",
    f"POST {_MESSAGES}",
    f"PATCH {_MESSAGES}/{{message_id}}",
    f"DELETE {_MESSAGES}/{{message_id}}",
    "POST /interactions/{interaction_id}/{interaction_token}/callback",
    f"POST {_HOOK}",
    f"GET {_HOOK}/messages/@original",
    f"PATCH {_HOOK}/messages/@original",
    f"DELETE {_HOOK}/messages/@original",
    f"PATCH {_HOOK}/messages/{{message_id}}",
)
KEPT: Final = (
    # Messages
    "MessageCreateRequest",
    "MessageEditRequestPartial",
    "IncomingWebhookRequestPartial",
    "IncomingWebhookUpdateRequestPartial",
    "MessageAllowedMentionsRequest",
    "AllowedMentionTypes",
    "MessageAttachmentRequest",
    "SnowflakeType",
    "CreatePrivateChannelRequest",
    "CreateRoleRequest",
    "RoleColors",
    # Under them
    "ActionRowComponentForMessageRequest",
    "ButtonComponentForMessageRequest",
    "ButtonStyleTypes",
    "ComponentEmojiForRequest",
    "StringSelectComponentForMessageRequest",
    "StringSelectOptionForRequest",
    # Answers to interactions
    "ApplicationCommandAutocompleteCallbackRequest",
    "InteractionApplicationCommandAutocompleteCallbackStringData",
    "CreateMessageInteractionCallbackRequest",
    "IncomingWebhookInteractionRequest",
    "UpdateMessageInteractionCallbackRequest",
    "IncomingWebhookUpdateForInteractionCallbackRequestPartial",
    "LaunchActivityInteractionCallbackRequest",
    # Commands
    "ApplicationCommandUpdateRequest",
    "ApplicationCommandType",
    "ApplicationCommandHandler",
    "ApplicationCommandSubcommandOption",
    "ApplicationCommandSubcommandGroupOption",
    "ApplicationCommandStringOption",
    "ApplicationCommandOptionStringChoice",
    "ApplicationCommandIntegerOption",
    "ApplicationCommandOptionIntegerChoice",
    "Int53Type",
    "ApplicationCommandBooleanOption",
    "ApplicationCommandUserOption",
    "ApplicationCommandChannelOption",
    "ApplicationCommandRoleOption",
    "ChannelTypes",
    "ApplicationIntegrationType",
    "InteractionContextType",
)
_EDIT: Final = {"tts": {"enum": [False]}}
ADDED: Final = {
    # Discord's written documentation has it, and discord.py sends it with every command.
    "ApplicationCommandUpdateRequest": {"nsfw": {"type": ["boolean", "null"]}},
    # discord.py sends it with every edit, and Discord accepts it.
    "MessageEditRequestPartial": _EDIT,
    "IncomingWebhookUpdateRequestPartial": _EDIT,
    "IncomingWebhookUpdateForInteractionCallbackRequestPartial": _EDIT,
}
"""Keys that Discord accepts although its description does not list them."""
_PROSE: Final = ("title", "description", "format", "x-discord-union")


def main() -> None:
    """Write the file, or exit with a message if ``--check`` finds it stale."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("openapi", type=Path, help="Discord's openapi.json")
    parser.add_argument("--check", action="store_true", help="change nothing; fail if stale")
    given = parser.parse_args()
    made = text(json.loads(given.openapi.read_text()))
    if not given.check:
        FILE.write_text(made)
    elif not FILE.exists() or FILE.read_text() != made:
        sys.exit(f"{FILE.relative_to(ROOT)} does not describe the same version of Discord's API.")


def text(openapi: Json) -> str:
    """The file as it should be: a route or a schema on each line."""
    document = described(openapi)
    parts = [
        f"{json.dumps(name)}: {json.dumps(part)}"
        if isinstance(part, str)
        else f"{json.dumps(name)}: {{\n  {_lines(part)}\n}}"
        for name, part in document.items()
    ]
    return "{\n" + ",\n".join(parts) + "\n}\n"


def described(openapi: Json) -> dict[str, Json]:
    """The requests of ``ROUTES``, with the schemas that are kept."""
    schemas = openapi["components"]["schemas"]
    kept = {name: _schema(schemas[name]) for name in KEPT if name in schemas}
    for name in kept.keys() & ADDED.keys():
        kept[name]["properties"] |= ADDED[name]
    return {
        "about": f"{openapi['info']['title']}, version {openapi['info']['version']}",
        "routes": {route: _route(openapi, *route.split(" ")) for route in ROUTES},
        "schemas": kept,
    }


def _lines(part: dict[str, Json]) -> str:
    return ",\n  ".join(f"{json.dumps(name)}: {json.dumps(value)}" for name, value in part.items())


def _route(openapi: Json, method: str, path: str) -> Json:
    """The schemas of the ``query`` parameters by name, and of the ``body`` if there is one."""
    operation = openapi["paths"][path][method.lower()]
    query = {
        parameter["name"]: _schema(parameter["schema"])
        for parameter in operation.get("parameters", ())
        if parameter["in"] == "query"
    }
    if "requestBody" not in operation:
        return {"query": query}
    body = operation["requestBody"]["content"]["application/json"]["schema"]
    return {"query": query, "body": _schema(body)}


def _schema(schema: Json) -> Json:
    """The schema without prose; None if it refers only to schemas that are not kept."""
    if "$ref" in schema:
        name = schema["$ref"].removeprefix("#/components/schemas/")
        return {"$ref": f"#/schemas/{name}"} if name in KEPT else None
    if "enum" in schema:
        return {"enum": schema["enum"]}
    if alternatives := schema.get("oneOf") or schema.get("anyOf"):
        return _any_of(alternatives)
    shorter = {key: value for key, value in schema.items() if key not in _PROSE}
    if "properties" in schema:
        parts = {key: _schema(part) for key, part in schema["properties"].items()}
        shorter["properties"] = {key: part for key, part in parts.items() if part is not None}
        shorter["additionalProperties"] = False
    if "items" in schema:
        shorter["items"] = _schema(schema["items"])
        return None if shorter["items"] is None else shorter
    return shorter


def _any_of(alternatives: list[Json]) -> Json:
    """The alternatives as ``anyOf``. Their types exclude each other, so at most one can match."""
    if all("const" in one for one in alternatives):
        return {"enum": [one["const"] for one in alternatives]}
    kept = [part for one in alternatives if (part := _schema(one)) is not None]
    if all(part == {"type": "null"} for part in kept):
        return None
    return kept[0] if len(kept) == 1 else {"anyOf": kept}


if __name__ == "__main__":
    main()
