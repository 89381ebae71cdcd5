"""What ``bigben serve`` can be told on its command line, and ``bigben config``."""

import argparse
import json
import os
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from bigben_server.config import BadSetting, from_environment
from bigben_server.ops.command import whole
from bigben_server.startup.in_force import InForce, in_force

_DESCRIPTION = """Serve races. Without BIGBEN_REDIS_URL the server keeps everything in its own Redis
in the data folder. Stop it with Ctrl-C; when you start it again, every race continues."""

_EXAMPLES: Final = """examples:
  bigben serve                               for players on this machine
  bigben serve --host 0.0.0.0 --port 9000    for everybody in your network
  bigben serve --house                       with house players, who race when they are invited
  BIGBEN_REDIS_URL=redis://db/0 bigben serve --workers 4

docs/operators.md has all settings."""

_DESCRIPTION_OF_CONFIG = """Print the settings that `bigben serve` has with these options here,
and where each comes from. Keys and passwords are not shown. Nothing is started."""

_EXAMPLES_OF_CONFIG: Final = """examples:
  bigben config --host 0.0.0.0
  systemd-run --pipe --wait --quiet -p EnvironmentFile=-/etc/bigben.env \\
      /opt/bigben/bin/bigben config --host 127.0.0.1 --port 8765 --data /var/lib/bigben
  docker compose exec server bigben config --host 0.0.0.0 --port 8765 --data /data"""


def for_serve() -> argparse.ArgumentParser:
    """The options of ``bigben serve``."""
    return _parser("bigben serve", _DESCRIPTION, _EXAMPLES)


def config(argv: list[str]) -> int:
    """Print what ``bigben serve`` with these options would use. Return the exit code."""
    parser = _parser("bigben config", _DESCRIPTION_OF_CONFIG, _EXAMPLES_OF_CONFIG)
    parser.add_argument("--json", action="store_true", default=False, help="for programs")
    options = vars(parser.parse_args(argv))
    as_json, count = options.pop("json"), options.pop("workers")
    try:
        settings = replace(from_environment(), **options)
    except BadSetting as error:
        print(f"bigben config: {error}", file=sys.stderr)
        return 1
    found = in_force(settings, os.environ, options)
    found.append(InForce("--workers", f"{count}", "option --workers" if count > 1 else "default"))
    if as_json:
        print(json.dumps({one.name: {"value": one.value, "from": one.source} for one in found}))
        return 0
    names, values = (
        max(map(len, column)) for column in zip(*(one[:2] for one in found), strict=True)
    )
    for one in found:
        print(f"{one.name:{names}}  {one.value:{values}}  {one.source}")
    return 0


def _parser(name: str, description: str, examples: str) -> argparse.ArgumentParser:
    """A missing option keeps the setting from the environment."""
    parser = argparse.ArgumentParser(
        name,
        description=description,
        epilog=examples,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        argument_default=argparse.SUPPRESS,
    )
    add = parser.add_argument
    add("--host", help="address to listen on (BIGBEN_HOST; 127.0.0.1)")
    port = partial(whole, "a port is a number", 0, 65_535)
    add("--port", type=port, help="port to listen on, 0 for any (BIGBEN_PORT; 8765)")
    add("--data", type=Path, help="folder of the embedded Redis (BIGBEN_DATA; data)")
    count = partial(whole, "workers are a number", 1, 64)
    add("--workers", type=count, default=1, help="how many processes share the port (1)")
    text = "let hosts add house players to their rooms; their process runs beside (BIGBEN_HOUSE)"
    add("--house", action="store_true", help=text)
    add("--worker", type=int, help=argparse.SUPPRESS)
    add("--metrics-folder", type=Path, help=argparse.SUPPRESS)
    return parser
