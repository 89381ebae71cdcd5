"""Certificates: what became of a deal, in one line that anybody can check by the rules alone.

A line has four or five words: the game, its rules, the deal, ``won``, ``lost`` or ``unknown``, and

- of a deal that is won its moves, one character each: the place of the move among the legal moves
  of the position, of which ``0`` is the first, in the digits, the capital and the small letters;
- else how many nodes the search that found the proof, or that ended without one, might look at.

The deal is a number, which stands for the seed that is this number, or a seed of 64 hex digits.

>>> parse("bigben standard 17 lost 1250")
Certificate(game='bigben', rules='standard', deal='17', result='lost', moves='', nodes=1250)
"""

from collections.abc import Iterable
from string import ascii_lowercase, ascii_uppercase, digits
from typing import Final, NamedTuple, get_args

from bigben_rules import Game, Move, Position, game_named, seed_from_hex, shuffle
from bigben_solver.solution import Result

HEADER: Final = "bigben-certificates-v1"
"""The first word of a file of certificates; the second is the number of lines that follow."""

LONGEST: Final = 1_000
"""No line is longer; a game of Big Ben has about 150 moves."""

PLACES: Final = digits + ascii_uppercase + ascii_lowercase


class Wrong(ValueError):
    """A certificate does not hold, or is not written as one. The message is a sentence."""


class Certificate(NamedTuple):
    """What became of a deal."""

    game: str
    rules: str
    deal: str
    result: Result
    moves: str = ""
    """Of a deal that is won, as in the line."""
    nodes: int = 0
    """Of the others: how many nodes the search might look at."""

    def __str__(self) -> str:
        """The line, without its end."""
        return " ".join((*self[:4], self.moves or str(self.nodes)))


def parse(line: str) -> Certificate:
    """The certificate in a line. Raises Wrong; whether it holds is not checked."""
    words = line.split()
    if len(words) != 5:
        raise Wrong("It does not have five words.")
    game, rules, deal, result, last = words
    if result not in get_args(Result):
        raise Wrong(f"{result[:20]!r} stands where won, lost or unknown belongs.")
    if result == "won":
        return Certificate(game, rules, deal, "won", last)
    if not (last.isascii() and last.isdigit() and len(last) <= 15):
        raise Wrong(f"{last[:20]!r} stands where the number of nodes belongs.")
    return Certificate(game, rules, deal, "lost" if result == "lost" else "unknown", "", int(last))


def seed_of(deal: str) -> bytes:
    """The seed of a deal that is named by its number or by its seed. Raises Wrong."""
    try:
        if len(deal) == 64:
            return seed_from_hex(deal)
        if deal.isascii() and deal.isdigit() and deal == str(int(deal)):
            return int(deal).to_bytes(32, "big")
    except (ValueError, OverflowError) as error:
        raise Wrong(f"The deal is neither a number nor a seed: {error}.") from None
    raise Wrong(f"{deal[:20]!r} is neither the number of a deal nor a seed.")


def start(certificate: Certificate) -> Position:
    """The position that was dealt. Raises Wrong if there is no such game, rules or deal."""
    try:
        game: Game = game_named(certificate.game)
        rules = game.rules(certificate.rules)
    except ValueError as error:
        raise Wrong(f"There is a mistake: {error}.") from None
    if rules != certificate.rules:
        raise Wrong(f"The rules {certificate.rules!r} are called {rules!r} here.")
    return game.deal(shuffle(game.pack, seed_of(certificate.deal)), rules)


def won_by(game: str, rules: str, deal: str, moves: Iterable[Move]) -> Certificate:
    """The certificate of a deal that these moves win. Raises Wrong if they do not."""
    certificate = Certificate(game, rules, deal, "won")
    position = start(certificate)
    places = []
    for number, move in enumerate(moves, 1):
        legal = position.legal_moves()
        if move not in legal[: len(PLACES)]:
            raise Wrong(f"Move {number} is not legal, or is too far back among the legal moves.")
        places.append(PLACES[legal.index(move)])
        position, _ = position.apply(move)
    if not position.won:
        raise Wrong(f"The moves end with {position.progress} cards home.")
    return certificate._replace(moves="".join(places))


def moves_of(certificate: Certificate) -> list[str]:
    """The moves in the notation of the game. Raises Wrong unless all are legal and win."""
    position = start(certificate)
    moves = []
    for number, place in enumerate(certificate.moves, 1):
        legal = position.legal_moves()
        index = PLACES.find(place)
        if not 0 <= index < len(legal):
            raise Wrong(f"Move {number} is {place!r}, and there are {len(legal)} legal moves.")
        moves.append(position.format(legal[index]))
        position, _ = position.apply(legal[index])
    if not position.won:
        raise Wrong(f"The moves end with {position.progress} cards home, and the game is not won.")
    return moves
