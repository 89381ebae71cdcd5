"""The application's commands as Discord keeps them, and what a user's client makes of one.

A client offers only what was synced, asks for what is required, and sends nothing else.
"""

import re
from collections.abc import Callable, Mapping, Sequence

from tests.discord.standin.people import Channel, Role, User
from tests.discord.standin.problems import ENTRY_POINT_MISSING, Json, invalid

ENTRY_POINT = 4
"""The type of the command that opens the application in a frame; the usual type is 1."""
SUBCOMMAND, GROUP = 1, 2
STRING, INTEGER, BOOLEAN, USER, CHANNEL, ROLE, NUMBER = 3, 4, 5, 6, 7, 8, 10
_KINDS: Mapping[int, type] = {
    STRING: str, INTEGER: int, BOOLEAN: bool, USER: User, CHANNEL: Channel, ROLE: Role,
    NUMBER: float
}  # fmt: skip

Value = str | int | bool | float | User | Channel | Role
Given = Mapping[str, Value]
"""What was typed into the options of a command."""

_NAME = re.compile(r"[-_\w]{1,32}")
_LONGEST = 8000
"""Letters of a command: all names, descriptions and values."""


class Commands:
    """What was last synced."""

    def __init__(self) -> None:
        self.stored: list[Json] = []
        self.syncs = 0
        """How often commands were put."""

    def put(
        self,
        body: Sequence[Json],
        application: str,
        new_id: Callable[[], str],
        *,
        embedded: bool = False,
    ) -> list[Json]:
        """Replace them all; ``embedded``: Activities are enabled. Raises Problem."""
        for command in body:
            _check(command)
        _check_entry_points(body, embedded=embedded)
        self.syncs += 1
        self.stored = [
            {
                **command,
                "type": command.get("type") or 1,
                "integration_types": command.get("integration_types") or [0],
                "default_member_permissions": None,
                "id": new_id(),
                "application_id": application,
                "version": new_id(),
            }
            for command in body
        ]
        return self.stored

    def describe(self, path: str) -> tuple[Json, Json]:
        """The top command and the subcommand named like ``bigben move``. Raises AssertionError."""
        first, *rest = path.split()
        top = command = _named(self.stored, first)
        for name in rest:
            command = _named(command.get("options", []), name)
        kinds = {option["type"] for option in command.get("options", [])}
        assert not kinds & {SUBCOMMAND, GROUP}, f"/{path} is a group; nobody can use it"
        return top, command

    def entry_point(self) -> Json:
        """The data of the interaction that opens the application. Raises AssertionError."""
        found = [command for command in self.stored if command["type"] == ENTRY_POINT]
        assert found, "there is no Entry Point command"
        return {"id": found[0]["id"], "name": found[0]["name"], "type": ENTRY_POINT}

    def data(self, path: str, given: Given, *, focused: str = "") -> Json:
        """The data of the interaction that this command makes. Raises AssertionError."""
        top, command = self.describe(path)
        declared = {option["name"]: option for option in command.get("options", [])}
        unknown = set(given) - set(declared)
        assert not unknown, f"/{path} has no option {unknown}; it has {list(declared)}"
        if not focused:
            required = {name for name, option in declared.items() if option.get("required")}
            assert required <= set(given), f"/{path} needs {required - set(given)}"
        resolved: Json = {}
        options = [
            _filled(declared[name], value, resolved, focused=name == focused)
            for name, value in given.items()
        ]
        kind = SUBCOMMAND
        for name in reversed(path.split()[1:]):
            options = [{"type": kind, "name": name, "options": options}]
            kind = GROUP
        data: Json = {"id": top["id"], "name": top["name"], "type": 1, "options": options}
        return {**data, "resolved": resolved} if resolved else data


def _named(commands: Sequence[Json], name: str) -> Json:
    names = [command["name"] for command in commands]
    assert name in names, f"there is no command {name!r}; there are {names}"
    return commands[names.index(name)]


def _filled(option: Json, value: Value, resolved: Json, *, focused: bool) -> Json:
    name = option["name"]
    if focused:
        assert option.get("autocomplete"), f"the option {name} completes nothing"
        return {"type": option["type"], "name": name, "value": value, "focused": True}
    assert isinstance(value, _KINDS[option["type"]]), f"{name} does not take {value!r}"
    choices = [choice["value"] for choice in option.get("choices") or []]
    assert not choices or value in choices, f"{name} is one of {choices}, not {value!r}"
    if isinstance(value, str):
        most = option.get("max_length") or 6000
        assert (option.get("min_length") or 0) <= len(value) <= most, f"{name}: wrong length"
    elif isinstance(value, int | float):
        least, most = option.get("min_value"), option.get("max_value")
        assert least is None or least <= value, f"{name} is at least {least}"
        assert most is None or value <= most, f"{name} is at most {most}"
    if isinstance(value, User):
        resolved.setdefault("users", {})[value.id] = value.payload()
    if isinstance(value, Role):
        resolved.setdefault("roles", {})[value.id] = value.payload()
    if isinstance(value, Channel):
        shown = {**value.payload(), "permissions": str(2**40)}
        allowed = option.get("channel_types")
        assert not allowed or shown["type"] in allowed, f"{name} takes no such channel"
        resolved.setdefault("channels", {})[value.id] = shown
    plain = value.id if isinstance(value, User | Channel | Role) else value
    return {"type": option["type"], "name": name, "value": plain}


def _check(command: Json) -> None:
    """The rules that Discord's description of its API does not say."""
    letters = 0
    for entry in _walk(command):
        name, description = entry["name"], entry.get("description", "")
        if not _NAME.fullmatch(name) or name != name.lower():
            raise invalid(f"the name {name!r} is not 1 to 32 small letters")
        if not 1 <= len(description) <= 100:
            raise invalid(f"{name}: a description has 1 to 100 letters")
        letters += len(name) + len(description)
        options = entry.get("options") or []
        names = [option["name"] for option in options]
        if len(set(names)) < len(names) or len(names) > 25:
            raise invalid(f"{name}: at most 25 options, each by its own name")
        required = [bool(option.get("required")) for option in options]
        if sorted(required, reverse=True) != required:
            raise invalid(f"{name}: required options come first")
        if len(entry.get("choices") or []) > 25:
            raise invalid(f"{name}: at most 25 choices")
        if entry.get("choices") and entry.get("autocomplete"):
            raise invalid(f"{name}: either choices or autocomplete")
    if letters > _LONGEST:
        raise invalid(f"{command['name']}: {letters} letters, more than {_LONGEST}")


def _check_entry_points(body: Sequence[Json], *, embedded: bool) -> None:
    """Raises Problem unless there is exactly one where Activities are enabled, or else none."""
    entry_points = [command for command in body if command.get("type") == ENTRY_POINT]
    if embedded and not entry_points:
        raise ENTRY_POINT_MISSING
    if len(entry_points) > embedded:
        raise invalid("type: one Entry Point command, of an application with Activities")
    for command in body:
        is_entry_point = command in entry_points
        if bool(command.get("handler")) != is_entry_point:
            raise invalid("handler: of Entry Point commands and no others")
        if is_entry_point and command.get("options"):
            raise invalid("options: an Entry Point command has none")


def _walk(entry: Json) -> list[Json]:
    found = [entry]
    for option in entry.get("options") or []:
        found += _walk(option)
    return found
