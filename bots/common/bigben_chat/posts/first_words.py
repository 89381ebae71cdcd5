"""With what a bot introduces itself to a group that has added it: once."""

from msgspec.structs import replace

from bigben_chat.messages.content import Content
from bigben_chat.messages.help_text import welcoming
from bigben_chat.records import group_record
from bigben_chat.store import ChatId, Store
from bigben_chat.texts import say_in


def first_words(store: Store, group: ChatId, locale: str = "") -> Content | None:
    """What to try first; None for a group that has read it. From now on it counts as read.

    So a bot that dies while it writes does not write twice.
    """
    record = group_record(store, group)
    if record.welcomed:
        return None
    store.put("guild", group, replace(record, welcomed=True))
    return welcoming(say_in(record.language or locale))
