"""Requests against Discord's description of its HTTP API: keys that it does not name are refused.

``discord_api.json`` is the part of it that the bot needs, made by ``tools/describe_discord.py``.
Where the environment names Discord's own file, requests and answers are held against that too.
"""

import json
import os
from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from jsonschema.exceptions import best_match  # type: ignore[import-untyped]
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012
from tests.discord.standin.problems import Json, invalid

DOCUMENT: Final = "BIGBEN_DISCORD_OPENAPI"
"""The environment variable with the path of Discord's ``openapi.json``."""
ENOUGH: Final = 25
"""Answers of a route that are checked: the stand-in makes them all alike. Requests always are."""
_URI: Final = "urn:discord"
_WRITTEN: Final = {"true": True, "1": True, "false": False, "0": False}
"""Booleans, as they stand in a query."""


class Schemas:
    """The schemas of a document, by where they stand in it."""

    def __init__(self, document: Json) -> None:
        self.document = document
        resource = Resource.from_contents(document, default_specification=DRAFT202012)
        # Any: the registry's type parameter is the library's own affair.
        self._registry: Any = Registry().with_resource(_URI, resource)
        self._validators: dict[tuple[str, ...], Any] = {}
        self._right: set[tuple[tuple[str, ...], str]] = set()
        """Values that fit, as JSON: every bot sends the same commands."""

    def wrong(self, path: tuple[str, ...], value: Any) -> str:
        """What is wrong with a value (Any: of JSON) that is to fit the schema there, or nothing."""
        written = json.dumps(value, sort_keys=True)
        if (path, written) in self._right:
            return ""
        validator = self._validators.get(path)
        if validator is None:
            pointer = "/".join(part.replace("/", "~1") for part in path)
            quoted = pointer.replace("{", "%7B").replace("}", "%7D")
            schema = {"$ref": f"{_URI}#/{quoted}"}
            validator = Draft202012Validator(schema, registry=self._registry)
            self._validators[path] = validator
        error = best_match(validator.iter_errors(value))
        if error is None:
            self._right.add((path, written))
            return ""
        return f"{error.json_path}: {error.message[:600]}"


class Requests:
    """What each route takes."""

    def __init__(self, document: Json) -> None:
        self._schemas = Schemas(document)

    def check(self, name: str, query: Mapping[str, str], body: object) -> None:
        """Raises Problem when the route ``POST /…`` does not take these."""
        routes = self._schemas.document["routes"]
        assert name in routes, f"tools/describe_discord.py does not name {name}"
        route = routes[name]
        for key, text in query.items():
            if key not in route["query"]:
                raise invalid(f"{name}: no {key!r} in its query")
            wrong = self._schemas.wrong(("routes", name, "query", key), _WRITTEN.get(text, text))
            if wrong:
                raise invalid(f"{name}: {key} in its query: {wrong}")
        if "body" in route:
            wrong = self._schemas.wrong(("routes", name, "body"), _as_documented(body))
        else:
            wrong = "it takes no body" if body else ""
        if wrong:
            raise invalid(f"{name}: {wrong}")


class Contract:
    """Which body each route takes and which it answers with, by Discord's own file."""

    def __init__(self, document: Json) -> None:
        self._schemas = Schemas(document)
        self._answers: Counter[str] = Counter()

    def check_request(self, name: str, body: object) -> None:
        """Raises Problem when ``body`` is none that this route takes."""
        where = self._operation(name)
        paths = self._schemas.document["paths"]
        if "requestBody" not in paths[where[1]][where[2]]:
            return
        where += ("requestBody", "content", "application/json", "schema")
        wrong = self._schemas.wrong(where, _as_documented(body))
        if wrong:
            raise invalid(f"{name}: {wrong}")

    def check_answer(self, name: str, status: int, body: object) -> None:
        """Raises AssertionError: the stand-in itself answers as Discord would not."""
        self._answers[name] += 1
        if body is None or self._answers[name] > ENOUGH:
            return
        where = (*self._operation(name), "responses", str(status))
        wrong = self._schemas.wrong((*where, "content", "application/json", "schema"), body)
        assert not wrong, f"the stand-in's answer to {name} is wrong: {wrong}"

    def _operation(self, name: str) -> tuple[str, ...]:
        method, path = name.split(" ")
        assert method.lower() in self._schemas.document["paths"][path], f"no {name} in Discord"
        return "paths", path, method.lower()


def check_request(name: str, query: Mapping[str, str], body: object) -> None:
    """Raises Problem when Discord would not take this."""
    requests().check(name, query, body)
    if whole := contract():
        whole.check_request(name, body)


def check_answer(name: str, status: int, body: object) -> None:
    """Raises AssertionError when Discord would not answer so, where its own file is named."""
    if whole := contract():
        whole.check_answer(name, status, body)


@cache
def requests() -> Requests:
    """Of our own description."""
    return Requests(json.loads(Path(__file__).with_name("discord_api.json").read_text()))


@cache
def contract() -> Contract | None:
    """Of the file that the environment names."""
    path = os.environ.get(DOCUMENT)
    if not path:
        return None
    # Its alternatives exclude each other by their types. To try them until one fits takes a
    # third of the time that it takes to try all of them.
    return Contract(json.loads(Path(path).read_text().replace('"oneOf":', '"anyOf":')))


def _as_documented(body: object) -> object:
    """discord.py writes some ids as integers, and permissions as text, which Discord also takes."""
    if isinstance(body, list):
        return [_as_documented(entry) for entry in body]
    if not isinstance(body, dict):
        return body
    documented = {key: _as_documented(value) for key, value in body.items()}
    if "recipient_id" in documented:
        documented["recipient_id"] = str(documented["recipient_id"])
    if isinstance(allowed := documented.get("allowed_mentions"), dict):
        named = {kind: [*map(str, allowed[kind])] for kind in ("roles", "users") if kind in allowed}
        documented["allowed_mentions"] = {**allowed, **named}
    if isinstance(permissions := documented.get("permissions"), str):
        documented["permissions"] = int(permissions)
    if isinstance(files := documented.get("attachments"), list):
        documented["attachments"] = [{**entry, "id": str(entry["id"])} for entry in files]
    return documented
