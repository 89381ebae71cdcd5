"""Reads the values of a command's options from the words of a line.

Options stand in any order as ``game:watch`` or ``game=watch``, a value in quotes has spaces, and a
value that can only be one option's needs no name. What is yes or no is said by its name alone.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import takewhile
from typing import Final, NamedTuple

from bigben_chat.platform import Sorry
from bigben_chat.texts import Say
from bigben_chat.tree import Command as Written
from bigben_chat.tree import Option as Typed
from bigben_chat.tree import Quoted, joined
from bigben_chat.typed import values
from bigben_chat.typed.command import Command, Option, Value
from bigben_chat.typed.names import names_of
from bigben_chat.typed.values import Taken
from bigben_protocol import GameInfo

_ANY: Final = ("word", "words", "person")
"""Kinds that take any word."""
_SHOWN: Final = 40


class Word(NamedTuple):
    """One word of a line, or several in quotes."""

    text: str
    """Without quotes."""
    name: str = ""
    """What stands before ``:`` or ``=``, if something does."""
    value: str = ""
    """What stands after that."""
    quoted: bool = False


def values_of(
    command: Command, words: Sequence[Word], games: Sequence[GameInfo], say: Say
) -> Mapping[str, Value]:
    """The values that these words give the options of a command. Raises Sorry."""
    arguments = _Arguments(command, games, say)
    while words:
        words = words[arguments.take(words) :]
    arguments.check()
    return arguments.given


class _Arguments:
    """The options of a command that was typed, with their values so far."""

    def __init__(self, command: Command, games: Iterable[GameInfo], say: Say) -> None:
        self._command = command
        self._known = {option.name: names_of(option, games) for option in command.options}
        self._say = say
        self.given: dict[str, Value] = {}

    def take(self, words: Sequence[Word]) -> int:
        """Take the next value; how many words it was. Raises Sorry."""
        option, (value, count) = (
            self._named(words)
            or self._by_its_name(words)
            or self._required(words)
            or self._meant(words)
            or self._any(words)
        )
        if isinstance(value, str) and len(value) > option.longest:
            raise Sorry(self._say("typed.long"))
        if value != "":
            self.given[option.name] = value
        return count

    def check(self) -> None:
        """Raises Sorry for an option that is required and was not given."""
        for option in self._open:
            if option.required:
                raise self._missing(option)

    def _named(self, words: Sequence[Word]) -> tuple[Option, Taken] | None:
        """``game:watch``, ``game: watch``, ``game:"Big Ben"``."""
        word, option = words[0], self._option(words[0])
        if option is None:
            return None
        if word.value or word.quoted:
            run = [word.value, *([] if word.quoted else self._run(words[1:]))]
            return option, self._value(option, run)
        if run := self._run(words[1:]):
            value, count = self._value(option, run)
            return option, Taken(value, count + 1)
        if (only := _only(option)) is None:
            raise self._missing(option)
        return option, Taken(only, 1)

    def _by_its_name(self, words: Sequence[Word]) -> tuple[Option, Taken] | None:
        """``undo``, ``hints off``, ``opponent Bob``: the name alone, perhaps with a value."""
        option = next((one for one in self._open if self._is_name(words[0], one)), None)
        if option is None:
            return None
        run, taken = self._run(words[1:]), None
        if run and option.kind == "yes":
            taken = values.said(run)
        elif run:
            taken = self._of(option, run, half=True)
            if taken is None and option.kind in _ANY:
                taken = self._some(option, run)
        if taken:
            return option, Taken(taken.value, taken.words + 1)
        return (option, Taken(only, 1)) if (only := _only(option)) is not None else None

    def _required(self, words: Sequence[Word]) -> tuple[Option, Taken] | None:
        """What must be there comes first: the name of a season may be that of a game."""
        first = next((one for one in self._open if one.required), None)
        if first is None or first.kind not in _ANY:
            return None
        return first, self._some(first, self._run(words))

    def _meant(self, words: Sequence[Word]) -> tuple[Option, Taken] | None:
        """A value that can only be that of one option; the longest, of several."""
        run = self._run(words)
        for half in (False, True):
            fitting = [
                (one, taken) for one in self._open if (taken := self._of(one, run, half=half))
            ]
            if fitting:
                return max(fitting, key=lambda one: one[1].words)
        return None

    def _any(self, words: Sequence[Word]) -> tuple[Option, Taken]:
        """A word that looks like nothing: of the first option that takes any."""
        for one in self._open:
            if one.kind in _ANY and not one.by_name:
                return one, self._some(one, self._run(words))
        # What is not a choice is still meant as one where there is nothing else to give.
        for one in self._open:
            if one.choices and (one.required or len(self._command.options) == 1):
                return one, self._value(one, self._run(words))
        listed = joined([Typed(one.name, "") for one in self._command.options], " ")
        key = "typed.extra" if listed else "typed.alone"
        typed, command = Quoted(words[0].text[:_SHOWN]), Written(self._command.name)
        raise Sorry(self._say(key, command=command, typed=typed, options=listed))

    def _some(self, option: Option, run: Sequence[str]) -> Taken:
        """The words of an option that takes any: one, if others need some too, or else several."""
        others = [one for one in self._open if one is not option and one.kind in _ANY]
        if option.kind == "word" or any(one.required for one in others):
            return Taken(run[0], 1)
        if taken := values.looking(option, run):
            return taken
        # A name ends where something else begins; a reason does not.
        ends = (
            at for at in range(1, len(run)) if option.kind == "person" and self._begins(run[at:])
        )
        count = next(ends, len(run))
        return Taken(" ".join(run[:count]), count)

    def _begins(self, run: Sequence[str]) -> bool:
        """Whether these words begin with a value of an option."""
        return any(self._of(one, run, half=False) for one in self._open)

    def _run(self, words: Sequence[Word]) -> list[str]:
        """The values up to the next option; a word in quotes is one of its own."""
        if words and words[0].quoted:
            return [words[0].text]
        return [word.text for word in takewhile(self._is_bare, words)]

    def _is_bare(self, word: Word) -> bool:
        switch = any(self._is_name(word, one) for one in self._open if one.kind == "yes")
        return not (word.quoted or switch or self._option(word))

    def _is_name(self, word: Word, option: Option) -> bool:
        return not word.quoted and word.text.casefold() == option.name

    def _option(self, word: Word) -> Option | None:
        """The option that a word names; the beginning of its name will do."""
        name = word.name.casefold().replace("_", "-")
        fitting = [one for one in self._command.options if name and one.name.startswith(name)]
        exact = [one for one in fitting if one.name == name]
        return (exact or fitting)[0] if exact or len(fitting) == 1 else None

    def _of(self, option: Option, run: Sequence[str], *, half: bool) -> Taken | None:
        return values.meant(option, run, self._known[option.name], self._say, half=half)

    def _value(self, option: Option, run: Sequence[str]) -> Taken:
        if option.kind == "person":
            return self._some(option, run)
        return values.named(option, run, self._known[option.name], self._say)

    def _missing(self, option: Option) -> Sorry:
        typed = Written(self._command.name, (Typed(option.name, ""),))
        return Sorry(
            self._say("typed.missing", command=typed, what=values.described(option, self._say))
        )

    @property
    def _open(self) -> list[Option]:
        """The options without a value, in order."""
        return [one for one in self._command.options if one.name not in self.given]


def _only(option: Option) -> Value | None:
    """What an option means whose name stands alone, if that can be only one thing."""
    if option.kind == "yes":
        return True
    return option.choices[0].value if len(option.choices) == 1 else None
