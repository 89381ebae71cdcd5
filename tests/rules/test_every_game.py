"""What holds in every position of every game, under each of its rules."""

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from itertools import product
from random import Random

from hypothesis import given
from tests.rules.support import every_game, randoms, reason, seeds
from tests.support.torture import examples

import bigben_rules as rules
from bigben_protocol import Diff, Pile, RaceId, Snapshot, Step, View, digest_of
from bigben_rules import Card, Game, IllegalMove, Move, NotationError, Position, shuffle
from bigben_rules.cards import PACK
from bigben_rules.position import STOCK, plain_reading, shows

few_games = examples(10)
"""How many examples a property tries for each game; each plays one."""

CARD = re.compile(r"\b(?:10|[2-9AJQK])[CDHS]\b")

Played = tuple[Position, Move, Position, tuple[rules.Step, ...]]


def first(game: Game, seed: bytes, random: Random) -> Position:
    """The deal of that seed under any of the game's rules."""
    return game.deal(shuffle(game.pack, seed), random.choice(game.variants))


def random_game(position: Position, random: Random) -> Iterator[Played]:
    """Each move of a random game: the position before, the move, the position after, the steps.

    Like players it prefers foundations, and then new cards, or few games would come to an end.
    """
    for _ in range(150):
        moves = position.legal_moves()
        if not moves:
            return
        home = [move for move in moves if move.target.startswith("f")]
        new = [move for move in moves if move.source == STOCK]
        likely = (home or new or moves) if random.random() < 0.8 else moves
        move = random.choice(likely)
        after, steps = position.apply(move)
        yield position, move, after, steps
        position = after


def positions(game: Game, seed: bytes, random: Random) -> Iterator[Position]:
    """Every position of a random game."""
    position = first(game, seed, random)
    yield position
    for _, _, after, _ in random_game(position, random):
        yield after


def one_position(game: Game, seed: bytes, random: Random) -> Position:
    """A position somewhere in a random game."""
    return random.choice(list(positions(game, seed, random)))


def texts(game: Game) -> Iterator[str]:
    """All that can be a move: every pair of words that name piles, and every word alone."""
    piles = [slot.pile for slot in game.description.slots]
    typed = {word for move in game.description.moves for word in move.example.split()}
    words = [*piles, *sorted(typed - {*piles})]
    yield from words
    yield from map(" ".join, product(words, repeat=2))
    yield from (f"swap {pile} {depth}" for pile in piles for depth in range(6))


def every_move(game: Game, position: Position) -> set[Move]:
    """Every move that can be typed here, legal or not."""
    moves = set()
    for text in texts(game):
        with suppress(NotationError, IllegalMove):
            moves.add(position.parse(text))
    return moves


def face_up(position: Position) -> Counter[Card]:
    return Counter(card for cards in position.piles().values() for card in cards.up)


def as_view(position: Position, n: int = 0) -> View:
    """What a client has of this position."""
    reading = position.reading()
    piles = {str(name): Pile(*cards) for name, cards in position.piles().items()}
    digest, race = digest_of(reading.piles), RaceId("race")
    return View.of(Snapshot(race, n, "playing", position.progress, 0, piles, reading.legal, digest))


@every_game
@few_games
@given(seeds, randoms)
def test_no_card_is_lost(game: Game, seed: bytes, random: Random) -> None:
    pack = Counter(PACK * (game.total // len(PACK)))
    for position in positions(game, seed, random):
        up, down = face_up(position), sum(cards.down for cards in position.piles().values())
        assert up <= pack
        assert up.total() + down == game.total
        written = Counter(CARD.findall(position.text()))
        assert pack - up <= written, "the face-down cards are in the text"


@every_game
@few_games
@given(seeds, randoms)
def test_apply_does_not_change_the_position_before(game: Game, seed: bytes, random: Random) -> None:
    for before, move, after, steps in random_game(first(game, seed, random), random):
        text, hashed = before.text(), hash(before)
        assert before.apply(move) == (after, steps)
        assert (before.text(), hash(before)) == (text, hashed)
        assert after != before


@every_game
@few_games
@given(seeds, randoms)
def test_the_steps_explain_the_whole_change(game: Game, seed: bytes, random: Random) -> None:
    position = first(game, seed, random)
    view = as_view(position)
    for n, (_, move, after, transfers) in enumerate(random_game(position, random), 1):
        steps = tuple(Step(*step) for step in transfers)
        reading = after.reading()
        digest, text = digest_of(reading.piles), position.format(move)
        home, legal = after.progress, reading.legal
        diff = Diff(RaceId(view.race), n, text, steps, "playing", home, 0, legal, digest)
        view = view.after(diff)
        assert view == as_view(after, n)
        position = after


@every_game
@few_games
@given(seeds, randoms)
def test_a_move_that_shows_a_card_says_so_and_the_others_can_be_taken_back(
    game: Game, seed: bytes, random: Random
) -> None:
    for before, _, after, steps in random_game(first(game, seed, random), random):
        if face_up(after) - face_up(before):
            assert shows(steps)
        if not shows(steps):
            assert all(step.how in ("", "down") for step in steps)


@every_game
@examples(10)
@given(seeds, randoms)
def test_the_legal_moves_are_exactly_those_that_apply_accepts(
    game: Game, seed: bytes, random: Random
) -> None:
    position = one_position(game, seed, random)
    accepted = {move for move in every_move(game, position) if reason(position, move) is None}
    moves = position.legal_moves()
    assert set(moves) == accepted
    assert len(moves) == len(accepted)


@every_game
@few_games
@given(seeds, randoms)
def test_every_position_is_read_back_as_it_was_written(
    game: Game, seed: bytes, random: Random
) -> None:
    for position in positions(game, seed, random):
        again = game.read(position.text())
        assert again == position
        assert hash(again) == hash(position)
        assert again.text() == position.text()
        assert position.text().split()[0] == game.name


@every_game
@few_games
@given(seeds, randoms)
def test_every_legal_move_is_read_back_as_it_was_written(
    game: Game, seed: bytes, random: Random
) -> None:
    for position in positions(game, seed, random):
        for move in position.legal_moves():
            text = position.format(move)
            assert position.parse(text) == move
            assert position.parse(f"  {text.upper().replace(' ', '   ')} ") == move


@every_game
@few_games
@given(seeds, randoms)
def test_a_game_ends_won_or_blocked_and_never_both(game: Game, seed: bytes, random: Random) -> None:
    home = 0
    for position in positions(game, seed, random):
        over = not position.legal_moves()
        assert over == (position.won or position.blocked)
        assert not (position.won and position.blocked)
        assert position.won == (position.progress == game.total)
        assert home <= position.progress <= game.total
        home = position.progress


def out_of_redeals(position: Position) -> bool:
    """Whether this is German Clock without a redeal; its piles do not tell."""
    words = position.text().split()
    return words[0] == "germanclock" and words[-1] == "0"


@every_game
@few_games
@given(seeds, randoms)
def test_a_player_who_sees_only_the_piles_reads_the_same(
    game: Game, seed: bytes, random: Random
) -> None:
    variant = random.choice(game.variants)
    dealt = game.deal(shuffle(game.pack, seed), variant)
    # Not when the game is over: the piles of Watch do not tell that the exchange was made.
    for position, *_ in random_game(dealt, random):
        if out_of_redeals(position):
            return
        seen = game.seen(position.piles(), variant)
        assert seen.piles() == position.piles()
        assert seen.reading() == position.reading() == plain_reading(position)
        assert seen.progress == position.progress
        assert game.read(seen.text()) == seen


@every_game
@examples(10)
@given(seeds, randoms)
def test_a_refusal_reveals_nothing_that_is_face_down(
    game: Game, seed: bytes, random: Random
) -> None:
    variant = random.choice(game.variants)
    dealt = game.deal(shuffle(game.pack, seed), variant)
    played = (before for before, *_ in random_game(dealt, random))
    position = random.choice([before for before in played if not out_of_redeals(before)])
    seen = game.seen(position.piles(), variant)
    for move in every_move(game, position):
        why, why_seen = reason(position, move), reason(seen, move)
        if why_seen and re.fullmatch(r"The next card of .+ is not known here\.", why_seen):
            assert not CARD.findall(why or "")
        else:
            assert why == why_seen


@every_game
@few_games
@given(seeds, randoms)
def test_other_cards_face_down_look_the_same(game: Game, seed: bytes, random: Random) -> None:
    position = one_position(game, seed, random)
    hidden = Counter(PACK * (game.total // len(PACK))) - face_up(position)
    other = position.with_hidden(random.sample([*hidden.elements()], hidden.total()))
    assert other.piles() == position.piles()
    assert Counter(CARD.findall(other.text())) == Counter(CARD.findall(position.text()))
