"""Why a login is refused: a status, and a code that has a sentence in every language."""


class Refusal(Exception):
    """The answer is ``{"code", "text"}``; the text is ``chat.login.CODE`` of the catalogue."""

    def __init__(self, code: str, status: int) -> None:
        super().__init__(code)
        self.code = code
        self.status = status
