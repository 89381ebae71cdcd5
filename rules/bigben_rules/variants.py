"""The variants of a game's rules, and their names."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product


@dataclass(frozen=True, slots=True)
class Variants:
    """All variants: a value for each field, in any combination."""

    choices: Mapping[str, tuple[str, ...]]
    """The values of each field, the default first."""
    presets: Mapping[str, tuple[str, ...]]
    """The variants with a name, each by its values; ``standard`` first, with all defaults."""

    @property
    def names(self) -> tuple[str, ...]:
        """The main name of each variant: the preset's, or its values joined by ``-``."""
        return tuple(map(self._name, product(*self.choices.values())))

    def name(self, wanted: str | Mapping[str, str]) -> str:
        """The main name of the variant with this name, or with these fields and defaults else.

        Raises ValueError with a sentence that lists the possible values.

        >>> variants = Variants({"wrap": ("yes", "no")}, {"standard": ("yes",)})
        >>> variants.name("standard"), variants.name({"wrap": "no"}), variants.name({})
        ('standard', 'no', 'standard')
        """
        return self._name(self._of_name(wanted) if isinstance(wanted, str) else self._of(wanted))

    def values(self, wanted: str | Mapping[str, str]) -> dict[str, str]:
        """The value of every field in the variant that ``name`` finds. Raises ValueError."""
        values = self._of_name(wanted) if isinstance(wanted, str) else self._of(wanted)
        return dict(zip(self.choices, values, strict=True))

    def _of_name(self, wanted: str) -> tuple[str, ...]:
        if wanted in self.presets:
            return self.presets[wanted]
        for values in product(*self.choices.values()):
            if values and "-".join(values) == wanted:
                return values
        # With several fields the combinations would be too many to list.
        names = dict.fromkeys((*self.presets, *(self.names if len(self.choices) == 1 else ())))
        there = "are" if len(names) > 1 else "is"
        raise ValueError(f"no rules are called {wanted[:40]!r}; there {there} {', '.join(names)}")

    def _of(self, fields: Mapping[str, str]) -> tuple[str, ...]:
        for field, value in fields.items():
            if field not in self.choices:
                there = f"there are {', '.join(self.choices)}" if self.choices else "there are none"
                raise ValueError(f"rules have no field {field[:40]!r}; {there}")
            if value not in self.choices[field]:
                values = ", ".join(self.choices[field])
                raise ValueError(f"the rules field {field} is one of {values}")
        return tuple(fields.get(field, values[0]) for field, values in self.choices.items())

    def _name(self, values: tuple[str, ...]) -> str:
        for preset, known in self.presets.items():
            if known == values:
                return preset
        return "-".join(values)
