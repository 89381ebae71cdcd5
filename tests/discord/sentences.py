"""Every sentence by which server, rules and client refuse what a player on Discord asks.

Read from their code, with ``{}`` for what is put in; so one that a language lacks fails a test.
"""

import ast
from collections.abc import Iterator
from typing import Final

from tests.support.paths import ROOT

ELSEWHERE: Final = ("boards", "groups", "http", "names", "queries", "tokens", "websocket")
"""Modules of the server that refuse what is asked over HTTP, on saying hello, or about groups and
boards: the bot asks for none but those that are there."""
FILES: Final = (
    *(ROOT / "rules/bigben_rules").rglob("*.py"),
    ROOT / "client/bigben_client/session/followed_race.py",
    *(f for f in (ROOT / "server/bigben_server").rglob("*.py") if f.stem not in ELSEWHERE),
)
ARGUMENT: Final = {
    "_illegal": 0, "NotationError": 0, "IllegalMove": 0, "Refusal": 1, "Refused": 1, "refuse": 1
}  # fmt: skip
"""Which argument of these calls is the sentence."""
NOT_ASKED: Final = ("hello", "seed", "rules", "token")
"""Codes of what nobody on Discord can do wrong: rules are chosen from a list, for one."""


def sentences() -> set[str]:
    """All of them."""
    found = set[str]()
    for file in FILES:
        tree = ast.parse(file.read_text(encoding="utf-8"))
        named = _named(tree)
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and (said := _said(node)) is not None:
                found |= set(_templates(said, named))
    return found


def _said(call: ast.Call) -> ast.expr | None:
    """The expression of the sentence that this call says."""
    name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    number = ARGUMENT.get(name)
    if number is None or len(call.args) <= number:
        return None
    match call.args[0]:
        case ast.Constant(value=code) if number and code in NOT_ASKED:
            return None
        case _:
            return call.args[number]


def _named(tree: ast.Module) -> dict[str, list[ast.expr]]:
    """What is assigned to each name."""
    named: dict[str, list[ast.expr]] = {}
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                named.setdefault(name, []).append(value)
            case _:
                pass
    return named


def _templates(said: ast.expr, named: dict[str, list[ast.expr]]) -> Iterator[str]:
    match said:
        case ast.Constant(value=str(text)):
            yield text
        case ast.JoinedStr(values=parts):
            texts = [part.value if isinstance(part, ast.Constant) else "{}" for part in parts]
            text = "".join(map(str, texts))
            if text.strip("{}."):  # else it hands on what somebody else has said
                yield text
        case ast.IfExp(body=one, orelse=other):
            yield from _templates(one, named)
            yield from _templates(other, named)
        case ast.Name(id=name):
            for value in named.get(name, []):
                yield from _templates(value, {})
        case _:
            pass  # What an exception has said; that is read where it is raised.
