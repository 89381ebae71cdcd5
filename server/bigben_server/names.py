"""Display names: what may stand in one. Escapes nothing; every front end escapes for itself."""

import unicodedata

LONGEST = 32
_ALLOWED = frozenset("LMNPSZ")
"""Letters, marks, numbers, punctuation, symbols, spaces: no control, format (bidi) or private."""


class BadName(ValueError):
    """The name can't be shown. Its message is a sentence for the player."""


def display_name(wanted: str) -> str:
    """The name as it will be shown: NFKC, single spaces. Raises BadName."""
    name = " ".join(unicodedata.normalize("NFKC", wanted).split(" ")).strip()
    name = " ".join(part for part in name.split(" ") if part)
    if not name:
        raise BadName("A name has at least one letter; choose another.")
    if len(name) > LONGEST:
        raise BadName(f"A name has at most {LONGEST} letters; choose a shorter one.")
    for letter in name:
        category = unicodedata.category(letter)
        if category[0] not in _ALLOWED or category in ("Zl", "Zp"):
            raise BadName("A name has no control or direction characters; choose another.")
    marks = sum(unicodedata.combining(letter) > 0 for letter in name)
    if marks > len(name) - marks:
        raise BadName("A name has no piled-up accents; choose another.")
    return name
