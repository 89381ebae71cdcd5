"""`bigben replay` shows a recorded game move by move, with only the rules installed."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.rules.recorded import BIG_BEN, GAMES, Recorded
from tests.terminal.command import bigben, bigben_here, complaint, lines

from bigben_rules import GAMES as ALL_GAMES
from bigben_rules import Game, Position, shuffle
from bigben_rules.bigben import deal

SEED = "00" * 32
OF_BIG_BEN = ["foundations", "fans", "waste", "stock"]
"""Keys for the piles of Big Ben that the first version had too."""

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
of_big_ben = pytest.mark.parametrize("game", BIG_BEN.values(), ids=BIG_BEN)


def recording(**fields: Any) -> bytes:
    """A recorded game as JSON; by default with the seed's deal and without moves."""
    return json.dumps(fields | {"seed": SEED, "moves": []} | fields).encode()


@every_game
def test_a_whole_game_is_replayed(game: Recorded, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_bytes(
        json.dumps(
            {"game": game.game, "rules": game.rules, "order": game.order, "moves": game.moves}
        ).encode()
    )
    done = bigben_here("replay", "--json", str(file))
    assert (done.returncode, done.stderr) == (0, "")
    shown = lines(done.stdout)
    assert [line["n"] for line in shown] == list(range(len(game.moves) + 1))
    assert shown[0]["position"] == game.start().text()
    assert shown[-1]["position"] == game.last
    won, blocked = game.ends.startswith("won"), game.ends.startswith("blocked")
    assert [line["won"] for line in shown] == [False] * len(game.moves) + [won]
    assert [line["blocked"] for line in shown] == [False] * len(game.moves) + [blocked]


def test_only_the_rules_must_be_installed() -> None:
    done = bigben("replay", "-", stdin=recording(moves=["5 fdn"]))
    assert (done.returncode, done.stderr) == (0, "")


def described(position: Position, line: dict[str, Any]) -> None:
    """Assert what a line says of any game's position."""
    assert ALL_GAMES[line["position"].split()[0]].read(line["position"]) == position
    assert line["home"] == position.progress
    assert line["legal"] == [position.format(move) for move in position.legal_moves()]
    assert (line["won"], line["blocked"]) == (position.won, position.blocked)
    assert list(line["piles"]) == list(position.piles())
    for name, cards in position.piles().items():
        up = {} if name == "s" else {"up": [*cards.up]}
        assert line["piles"][name] == {**up, "down": cards.down}


@every_game
def test_each_line_describes_a_whole_position(game: Recorded) -> None:
    stdin = recording(game=game.game, rules=game.rules, seed=game.seed, moves=game.moves)
    position = game.start()
    shown = lines(bigben_here("replay", "--json", "-", stdin=stdin).stdout)
    old = OF_BIG_BEN if game.game == "bigben" else []
    for line, text in zip(shown, game.moves, strict=False):
        assert list(line) == ["n", "position", *old, "legal", "won", "blocked", "home", "piles"]
        described(position, line)
        position, _ = position.apply(position.parse(text))


@pytest.mark.parametrize("game", ALL_GAMES.values(), ids=ALL_GAMES)
def test_every_game_is_replayed_from_its_order(game: Game) -> None:
    order = shuffle(game.pack, bytes(32))
    position, moves = game.deal(order, game.variants[-1]), []
    for _ in range(60):
        if legal := position.legal_moves():
            moves.append(position.format(legal[0]))
            position, _ = position.apply(legal[0])
    facts = {"game": game.name, "rules": game.variants[-1], "order": order, "moves": moves}
    done = bigben_here("replay", "--json", "-", stdin=json.dumps(facts).encode())
    assert (done.returncode, done.stderr) == (0, "")
    described(position, lines(done.stdout)[-1])


def test_the_exposed_card_and_the_tucked_cards_are_shown_as_the_player_sees_them() -> None:
    stdin = recording(game="clock", moves=["turn", "turn", "turn"])
    _, first, second, third = lines(bigben_here("replay", "--json", "-", stdin=stdin).stdout)
    # 4C is the top of the centre, 3C that of pile 2 …
    assert first["piles"]["h"] == {"up": ["4C"], "down": 0}
    assert first["piles"]["13"] == {"up": [], "down": 3}
    assert second["piles"]["4"] == {"up": ["4C"], "down": 3}
    assert [len(line["piles"]["h"]["up"]) for line in (first, second, third)] == [1, 1, 1]
    assert "waste" not in first


@of_big_ben
def test_the_keys_of_big_ben_are_those_of_the_first_version_too(game: Recorded) -> None:
    stdin = recording(rules=game.rules, seed=game.seed, moves=game.moves)
    position = deal(game.order, game.rules)
    shown = lines(bigben_here("replay", "--json", "-", stdin=stdin).stdout)
    for line, text in zip(shown, game.moves, strict=False):
        assert [len(line["foundations"][str(hour)]) for hour in range(1, 13)] == [
            *position.foundations
        ]
        assert [tuple(line["fans"][str(hour)]) for hour in range(1, 13)] == [*position.fans]
        assert tuple(line["waste"]) == position.waste
        assert line["stock"] == len(position.stock)
        position, _ = position.apply(position.parse(text))


def test_the_first_line_of_a_deal() -> None:
    [start] = lines(bigben_here("replay", "--json", "-", stdin=recording()).stdout)
    assert start["foundations"]["9"] == ["2C"]
    assert start["fans"]["12"] == ["6H", "4D", "9H"]
    assert (start["waste"], start["stock"], start["home"]) == ([], 56, 12)
    assert start["legal"] == ["5 f9", "7 f8", "7 2", "8 f8", "8 2", "9 f12", "10 1", "turn"]


def test_moves_may_be_typed_in_any_form_and_legal_ones_name_the_foundation() -> None:
    typed = ["5 FDN", " 7  foundation", "deal"]
    shown = lines(bigben_here("replay", "--json", "-", stdin=recording(moves=typed)).stdout)
    assert [(line["home"], line["stock"]) for line in shown] == [
        (12, 56),
        (13, 56),
        (14, 56),
        (14, 54),
    ]
    assert not any("fdn" in move for line in shown for move in line["legal"])


@pytest.mark.parametrize(
    "rules",
    ["open", {"turn": "always"}, {"refill": "laps", "turn": "always"}],
)
def test_the_rules_may_be_a_name_or_fields(rules: object) -> None:
    [start] = lines(bigben_here("replay", "--json", "-", stdin=recording(rules=rules)).stdout)
    assert start["position"].startswith("bigben open ")


@pytest.mark.parametrize("move", ["3 f9", "3 fdn", "w 5", "refill"])
def test_an_illegal_move_ends_the_replay(move: str) -> None:
    done = bigben_here("replay", "--json", "-", stdin=recording(moves=["turn", move, "turn"]))
    assert (done.returncode, done.stderr) == (1, "")
    start, turned, illegal = lines(done.stdout)
    assert (start["n"], turned["n"]) == (0, 1)
    assert list(illegal) == ["n", "error", "text"]
    assert (illegal["n"], illegal["error"]) == (2, "illegal")
    assert illegal["text"].endswith(".")


def test_the_reason_of_an_illegal_move() -> None:
    done = bigben_here("replay", "--json", "-", stdin=recording(moves=["3 f9"]))
    assert lines(done.stdout)[1] == {
        "n": 1,
        "error": "illegal",
        "text": "The foundation at 9 wants 3C, not 7S.",
    }


def test_without_json_people_can_read_it() -> None:
    done = bigben_here("replay", "-", stdin=recording(moves=["5 fdn", "turn"]))
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "   0  start   12 home, 56 in the stock",
        "   1  5 f9    13 home, 56 in the stock",
        "   2  turn    illegal: A fan has a gap; refill first.",
    ]


@pytest.mark.parametrize(
    ("game", "said"),
    [
        ("grandfathersclock", "   0  start   12 home"),
        ("clock", "   0  start   0 home, 52 face down"),
        ("germanclock", "   0  start   0 home, 52 in the stock"),
    ],
)
def test_without_json_a_line_counts_the_cards_that_are_face_down(game: str, said: str) -> None:
    assert bigben_here("replay", "-", stdin=recording(game=game)).stdout == f"{said}\n"


@every_game
def test_without_json_the_last_line_says_how_it_ended(game: Recorded) -> None:
    stdin = recording(game=game.game, rules=game.rules, seed=game.seed, moves=game.moves)
    last = bigben_here("replay", "-", stdin=stdin).stdout.splitlines()[-1]
    assert last.endswith(", won" if game.ends.startswith("won") else ", blocked")


@pytest.mark.parametrize(
    ("stdin", "wrong"),
    [
        (b"", "it is not JSON: Expecting value in line 1, column 1"),
        (b"{", "it is not JSON: "),
        (b"\xff\xfe\x00", "it is not UTF-8 text"),
        ('{"seed": "é"}'.encode("latin-1"), "it is not UTF-8 text"),
        (b"[" * 1_000_000, "its JSON is nested too deeply"),
        (b'{"moves":' * 100_000, "its JSON is nested too deeply"),
        (b"[]", "a recorded game is a JSON object"),
        (b"null", "a recorded game is a JSON object"),
        (b"9" * 10_000, "a recorded game is a JSON object"),
        (b'{"seed": NaN}', "it is not JSON: NaN is no JSON value"),
        (b'{"seed": -Infinity}', "it is not JSON: -Infinity is no JSON value"),
        (b'{"moves": [], "moves": []}', "the key 'moves' is there twice"),
        (b'{"rules": {"turn": "always", "turn": "stuck"}}', "the key 'turn' is there twice"),
        (b"{}", "exactly one of order and seed must be there"),
        (recording(order=[]), "exactly one of order and seed must be there"),
        (recording(speed=1), "there is no key 'speed'; there are game, rules, order, seed, moves"),
        (recording(game="poker"), "no game is called 'poker'"),
        (recording(game=None), "game is a string"),
        (recording(rules="chess"), "no rules are called 'chess'"),
        (recording(rules={"speed": "fast"}), "rules have no field 'speed'"),
        (recording(rules={"turn": "never"}), "the rules field turn is one of no_gaps"),
        (recording(rules={"turn": ["always"]}), "rules is a name or an object of names"),
        (recording(rules=3), "rules is a name or an object of names"),
        (recording(seed="12"), "a seed is written as 64 hex digits"),
        (recording(seed=12), "seed is a string"),
        (recording(moves="turn"), "moves is a list of strings"),
        (recording(moves=[["turn"]]), "moves is a list of strings"),
        (recording(moves=None), "moves is a list of strings"),
        (b'{"order": "6H AC", "moves": []}', "order is a list of strings"),
        (b'{"order": ["6H", 7], "moves": []}', "order is a list of strings"),
        (b'{"order": ["6H"], "moves": []}', "a deal of Big Ben has 92 cards"),
        (
            b'{"game": "germanclock", "order": ["6H"], "moves": []}',
            "a deal of German Clock has 52 cards: one pack; this order has 1",
        ),
        (
            b'{"game": "grandfathersclock", "order": ["6H"], "moves": []}',
            "a deal of Grandfather's Clock has 40 cards: ",
        ),
        (recording(game="watch", rules="book"), "no rules are called 'book'; there is standard"),
        (
            recording(game="germanclock", rules={"redeals": "0"}),
            "the rules field redeals is one of",
        ),
        (recording(game="clock", moves=["3 fdn"]), "move 1: '3 fdn' is not a move: write turn"),
        (recording(moves=["turn", "foo bar"]), "move 2: 'foo bar' is not a move: write 3 fdn"),
        (recording(moves=["3 f9", "\ud800\x1b[2J"]), r"move 2: '\ud800\x1b[2j' is not a move"),
        (recording(moves=["7 7"]), "move 1: Fan 7 can’t be built on itself."),
    ],
    ids=lambda value: repr(value)[2:40] if isinstance(value, bytes) else "",
)
def test_a_file_that_is_not_a_recorded_game_gets_a_sentence(stdin: bytes, wrong: str) -> None:
    said = complaint("replay", "--json", "-", stdin=stdin)
    assert said.startswith(f"bigben replay: standard input is not a recorded game: {wrong}")
    assert len(said) < 400


def test_a_byte_order_mark_does_no_harm() -> None:
    done = bigben_here("replay", "-", stdin=b"\xef\xbb\xbf" + recording())
    assert done.returncode == 0


def test_a_file_of_any_size_is_refused_without_reading_it_all() -> None:
    assert complaint("replay", "/dev/zero").endswith(
        "is not a recorded game: it is larger than 4 MiB, and no recorded game is"
    )


def test_a_missing_file_gets_a_sentence(tmp_path: Path) -> None:
    missing = tmp_path / "missing.json"
    assert complaint("replay", str(missing)) == (
        f"bigben replay: can't read {missing}: No such file or directory"
    )


def test_a_folder_gets_a_sentence(tmp_path: Path) -> None:
    assert complaint("replay", str(tmp_path)).endswith(": Is a directory")


def test_hints_do_not_know_the_cards_to_come(tmp_path: Path) -> None:
    """Two deals that differ behind the cards in the fans have the same hint at their start."""
    order = list(shuffle(ALL_GAMES["bigben"].pack, bytes.fromhex(SEED)))
    told, file = [], tmp_path / "game.json"
    for cards in (order, [*order[:36], *reversed(order[36:])]):
        file.write_text(json.dumps({"order": cards, "moves": []}))
        done = bigben_here("replay", "--json", "--hints", str(file))
        assert (done.returncode, done.stderr) == (0, "")
        (line,) = lines(done.stdout)
        assert line["hint"]["move"] in line["legal"]
        told.append(line["hint"])
    assert told[0] == told[1]
    shown = bigben_here("replay", "--hints", str(file)).stdout.splitlines()
    assert shown[1].strip() == f"Best: {told[0]['move']}. {told[0]['why']}"
