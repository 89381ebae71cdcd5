"""What the rules say, for commands that work where the rules alone are installed."""

from bigben_rules import Sentence


def in_english(*said: Sentence) -> str:
    """These sentences; without the texts of the protocol, their ids and values."""
    try:
        from bigben_protocol import texts
    except ModuleNotFoundError:
        return " ".join(map(str, said))
    return texts.all_said(said)
