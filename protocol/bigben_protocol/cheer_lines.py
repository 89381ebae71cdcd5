"""What players call to each other, in words, for front ends that read the texts in Python."""

from collections.abc import Iterable, Mapping

from bigben_protocol import texts
from bigben_protocol.types import CHEERS, Cheered, PlayerId


def cheer_list(language: str) -> list[str]:
    """Every cheer: its id and its words, ``well: Well played!``"""
    said = texts.of("cheers", language)
    return [f"{cheer}: {said[f'cheer.{cheer}']}" for cheer in CHEERS]


def cheer_lines(
    cheers: Iterable[Cheered], names: Mapping[PlayerId, str], me: PlayerId, language: str
) -> list[str]:
    """A line for each cheer that these texts have: ``Bob: Well played!``

    ``names``: of the seats, safe to show. A player who is not among them has left.
    """
    said = texts.of("cheers", language)
    named = {**names, me: said["cheer.you"], PlayerId(""): said["cheer.watcher"]}
    return [
        texts.fill(said["cheer.told"], name=named[one.player], cheer=said[f"cheer.{one.cheer}"])
        for one in cheers
        if one.cheer in CHEERS and one.player in named
    ]
