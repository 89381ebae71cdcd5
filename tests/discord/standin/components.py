"""What may stand under a message: the rules of Discord's components, and how people find them.

Discord's description of its API does not say most of these.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tests.discord.standin.problems import Json, invalid

ROW, BUTTON, SELECT = 1, 2, 3
LINK_STYLE = 5


@dataclass(frozen=True)
class Button:
    """A button as it is seen."""

    label: str
    custom_id: str
    style: int
    disabled: bool
    url: str = ""


@dataclass(frozen=True)
class Select:
    """A menu as it is seen."""

    placeholder: str
    custom_id: str
    options: tuple[tuple[str, str, str], ...]
    """Value, label, description."""
    disabled: bool

    @property
    def values(self) -> list[str]:
        """What can be chosen."""
        return [value for value, _, _ in self.options]


def check(rows: Sequence[Json]) -> None:
    """Raises Problem for components that Discord would not take."""
    if len(rows) > 5:
        raise invalid("components: more than 5 rows")
    ids: set[str] = set()
    for row in rows:
        if row.get("type") != ROW:
            raise invalid("components: only rows at the top")
        _check_row(row["components"], ids)


def _check_row(items: Sequence[Json], ids: set[str]) -> None:
    if not 1 <= len(items) <= 5:
        raise invalid("components: a row has 1 to 5 items")
    if any(item["type"] == SELECT for item in items) and len(items) > 1:
        raise invalid("components: a select fills its row")
    for item in items:
        if item["type"] == BUTTON:
            _check_button(item)
        else:
            _check_select(item)
        custom_id = item.get("custom_id")
        if custom_id is not None:
            if custom_id in ids:
                raise invalid(f"components: duplicate custom_id {custom_id}")
            if not 1 <= len(custom_id) <= 100:
                raise invalid("components: custom_id has 1 to 100 letters")
            ids.add(custom_id)


def _check_button(item: Json) -> None:
    if not (item.get("label") or item.get("emoji")):
        raise invalid("components: a button has a label or an emoji")
    if len(item.get("label") or "") > 80:
        raise invalid("components: a label has at most 80 letters")
    if (item["style"] == LINK_STYLE) != bool(item.get("url")):
        raise invalid("components: link buttons and no others have a url")
    if (item["style"] == LINK_STYLE) == bool(item.get("custom_id")):
        raise invalid("components: buttons have a custom_id, unless they are links")


def _check_select(item: Json) -> None:
    options = item["options"]
    values = [option["value"] for option in options]
    if not 1 <= len(options) <= 25:
        raise invalid("components: a select has 1 to 25 options")
    if len(set(values)) < len(values):
        raise invalid("components: an option's value is there twice")
    if len(item.get("placeholder") or "") > 150:
        raise invalid("components: a placeholder has at most 150 letters")
    for option in options:
        for field in ("label", "value", "description"):
            text = option.get(field)
            if field != "description" and not text:
                raise invalid(f"components: an option without {field}")
            if text is not None and not 1 <= len(text) <= 100:
                raise invalid(f"components: an option's {field} has 1 to 100 letters")


def numbered(rows: Sequence[Json]) -> list[Json]:
    """The components as Discord gives them back: each with an id."""
    count = iter(range(1, 1000))
    stored: list[Json] = []
    for row in rows:
        shown = {**row, "id": next(count)}
        shown["components"] = [_shown(item, next(count)) for item in row["components"]]
        stored.append(shown)
    return stored


def _shown(item: Json, number: int) -> Json:
    shown = {key: value for key, value in item.items() if value is not None}
    if "emoji" in shown and shown["emoji"].get("id") is None:
        shown["emoji"] = {"name": shown["emoji"]["name"]}
    return {**shown, "id": number}


def buttons(rows: Sequence[Json]) -> Iterator[Button]:
    """All buttons, in order."""
    for item in _items(rows, BUTTON):
        emoji = item.get("emoji", {}).get("name", "")
        label = f"{emoji} {item.get('label', '')}".strip()
        yield Button(
            label,
            item.get("custom_id", ""),
            item["style"],
            bool(item.get("disabled")),
            item.get("url", ""),
        )


def selects(rows: Sequence[Json]) -> Iterator[Select]:
    """All menus, in order."""
    for item in _items(rows, SELECT):
        options = tuple(
            (option["value"], option["label"], option.get("description") or "")
            for option in item["options"]
        )
        yield Select(
            item.get("placeholder", ""), item["custom_id"], options, bool(item.get("disabled"))
        )


def _items(rows: Sequence[Json], kind: int) -> Iterator[Json]:
    for row in rows:
        yield from (item for item in row["components"] if item["type"] == kind)
