"""The position and the moves in words, for screen readers.

Pure functions of the game's description and of what the player sees.
"""

from collections.abc import Sequence
from textwrap import wrap
from typing import Final

from bigben_protocol import GameInfo, Pile, Slot, Step, View
from bigben_terminal.display.faces import Faces, spoken
from bigben_terminal.display.piles import home_moves, in_sentence, shows_all, slot_name
from bigben_terminal.language import say

_JOINED: Final = "\xa0"
"""A space at which a line does not break: those in a move."""


def hints(
    game: GameInfo, legal: Sequence[str], faces: Faces, *, width: int = 78, lines: int = 3
) -> list[str]:
    """The legal moves as they are typed: ``home 7 f5 · build 4 1 · or turn``."""
    piles = {slot.pile for slot in game.slots}
    home = home_moves(game, legal)
    builds = [move for move in legal if move.split()[0] in piles and move not in home]
    others = [move for move in legal if move.split()[0] not in piles]
    rest = "or" if home or builds else "hints.only"
    groups = [("hints.home", home), ("hints.build", builds), (rest, others)]
    said = f" {faces.dot} ".join(
        f"{say(word)} {', '.join(move.replace(' ', _JOINED) for move in some)}"
        for word, some in groups
        if some
    )
    shown = wrap(said, width, max_lines=lines, placeholder=" ..." if faces.ascii else " …")
    return [line.replace(_JOINED, " ") for line in shown] or [say("hints.none")]


def position(game: GameInfo, view: View) -> list[str]:
    """The whole position, a sentence or two for each pile."""
    after = say("words.after", count=view.n)
    home = {move.split()[0] for move in home_moves(game, view.legal)}
    return [
        say("words.home", home=view.home, total=game.total, after=after),
        *(
            f"{slot_name(slot)}: {_cards(slot, view.piles[slot.pile])}"
            + (f" {say('pile.goes_home')}" if slot.pile in home else "")
            for slot in game.slots
        ),
        moves(view.legal),
    ]


def moves(legal: Sequence[str]) -> str:
    """The legal moves in a sentence."""
    return say("words.moves", moves=", ".join(legal)) if legal else say("words.no_moves")


def can_do(game: GameInfo, view: View) -> list[str]:
    """Each card that can go home or be built, with the move to type, and the other moves."""
    slots = {slot.pile: slot for slot in game.slots}
    home = home_moves(game, view.legal)
    lines = {True: list[str](), False: list[str]()}
    others = []
    for move in view.legal:
        source, _, target = move.partition(" ")
        if source not in slots or target not in slots or not view.piles[source].up:
            others.append(move)
            continue
        onto = view.piles[target].up[-1:]
        key = "can.onto" if onto else "can.empty"
        lines[move in home].append(
            say(
                f"{key}_home" if move in home else key,
                move=move,
                card=sentence_case(spoken(view.piles[source].up[-1])),
                onto=spoken(onto[0]) if onto else "",
                pile=in_sentence(slots[target]),
            )
        )
    told = [*lines[True], *lines[False]] or [say("can.nothing")]
    return [*told, *([say("can.others", moves=", ".join(others))] if others else [])]


def what_happened(game: GameInfo, move: str, steps: Sequence[Step], view: View) -> str:
    """A move in words: which card went where, and the state after it."""
    slots = {slot.pile: slot for slot in game.slots}
    told = " ".join(_step(step, slots, alone=len(steps) == 1) for step in steps)
    return f"{told or say('done', move=move)} {_left(game, view)}"


def sentence_case(text: str) -> str:
    """With a capital at its start."""
    return text[:1].upper() + text[1:]


def _step(step: Step, slots: dict[str, Slot], *, alone: bool) -> str:
    source, target = slots[step.source], in_sentence(slots[step.target])
    card = spoken(step.card)
    key = f"step.{step.how or 'to'}"
    if not step.how and alone and source.kind != "stock":
        key = "step.from"
    return sentence_case(say(key, card=card, source=in_sentence(source), target=target))


def _left(game: GameInfo, view: View) -> str:
    """``52 home, stock 6.``"""
    down = {slot: view.piles[slot.pile].down for slot in game.slots}
    stock = [down[slot] for slot in game.slots if slot.kind == "stock"]
    hidden = sum(down[slot] for slot in game.slots if slot.kind != "stock")
    parts = [say("cards.home", home=view.home)]
    parts += [say("words.stock", count=count) for count in stock]
    parts += [say("words.hidden", count=hidden)] if hidden else []
    return f"{', '.join(parts)}."


def _cards(slot: Slot, pile: Pile) -> str:
    match slot.kind:
        case "stock":
            return f"{say('cards', count=pile.down)}."
        case "foundation":
            return _foundation(slot, pile)
        case "reserve":
            return _reserve(pile)
        case "waste" | "hand":
            if not pile.up:
                return say("pile.empty")
            *under, top = pile.up
            cards = say("cards", count=len(under))
            return say("pile.on", card=spoken(top), cards=cards) if under else f"{spoken(top)}."
        case "tableau":
            return _tableau(slot, pile)


def _foundation(slot: Slot, pile: Pile) -> str:
    if not pile.up:
        return say("pile.empty")
    if shows_all(slot):
        return f"{', '.join(map(spoken, pile.up))}."
    top = pile.up[-1]
    if top == slot.goal:
        return say("pile.complete", card=spoken(top))
    return say("pile.goal", card=spoken(top), goal=spoken(slot.goal))


def _reserve(pile: Pile) -> str:
    tucked = ", ".join(spoken(card) for card in reversed(pile.up))
    down = _face_down(pile.down) if pile.down else say("pile.none_down")
    return f"{say('pile.under', top=down, cards=tucked) if tucked else down}."


def _tableau(slot: Slot, pile: Pile) -> str:
    gaps = slot.size - len(pile.up)
    missing = f" {say('pile.gaps', count=gaps)}" if gaps > 0 else ""
    if not pile.up:
        return f"{say('pile.empty')}{missing}"
    under = [spoken(card) for card in reversed(pile.up[:-1])]
    under += [_face_down(pile.down)] if pile.down else []
    top = say("pile.top", card=spoken(pile.up[-1]))
    shown = say("pile.under", top=top, cards=", ".join(under)) if under else top
    return f"{shown}.{missing}"


def _face_down(count: int) -> str:
    return say("pile.down", cards=say("cards", count=count))
