"""Only ``storage/`` talks to Redis: no other module of the server sends a command or has a key.

What is stored, and how, is read and changed in one folder. Of a command that blocks a large Redis,
operators and engineers find the place there.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import bigben_server

SERVER = Path(bigben_server.__file__).parent
SENDING = {"ask", "send", "scan", "everywhere", "client"}
"""What the connection has for the modules of storage alone."""


def outside() -> Iterator[tuple[str, ast.AST]]:
    """Every node of every module outside storage, with where it stands."""
    for path in sorted(SERVER.rglob("*.py")):
        name = path.relative_to(SERVER)
        if name.parts[0] != "storage":
            for node in ast.walk(ast.parse(path.read_text())):
                yield f"{name}:{getattr(node, 'lineno', 0)}", node


def test_no_module_outside_storage_sends_a_command() -> None:
    stores = ("store", "_store")
    sent = [
        where
        for where, node in outside()
        if isinstance(node, ast.Attribute)
        and node.attr in SENDING
        and isinstance(node.value, ast.Name | ast.Attribute)
        and (node.value.id if isinstance(node.value, ast.Name) else node.value.attr) in stores
    ]
    assert sent == []


def test_no_module_outside_storage_has_a_key_of_redis() -> None:
    keys = [
        where
        for where, node in outside()
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and node.value.startswith("bb:")
    ]
    assert keys == []


def test_no_module_outside_storage_imports_a_type_for_commands() -> None:
    internal = {"Client", "Command", "Connection", "as_lost", "client_of", "connect"}
    imported = [
        where
        for where, node in outside()
        if isinstance(node, ast.ImportFrom)
        and (node.module or "").startswith(("bigben_server.storage", "redis"))
        and internal & {name.name for name in node.names}
    ]
    assert imported == []


def test_no_module_outside_storage_names_a_command() -> None:
    command = re.compile(r"[HSXZ](ADD|DEL|GET|GETALL|INCRBY|RANGE|REM|SCORE|SET|SETNX)|EVAL(SHA)?")
    named = [
        where
        for where, node in outside()
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and command.fullmatch(node.value)
    ]
    assert named == []
