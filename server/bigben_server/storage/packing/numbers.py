"""Numbers as bytes of seven bits, the low ones first; the high bit is set if more follow."""


def put(column: bytearray, number: int) -> None:
    """Append a number. Raises ValueError if it is negative."""
    if number < 0:
        raise ValueError(f"{number} is negative")
    while number > 127:
        column.append(number & 127 | 128)
        number >>= 7
    column.append(number)


def put_signed(column: bytearray, number: int) -> None:
    """Append a number that may be negative: 0, -1, 1, -2 … become 0, 1, 2, 3 …"""
    put(column, 2 * number if number >= 0 else -2 * number - 1)


def put_bytes(column: bytearray, text: bytes) -> None:
    """Append bytes, after their number."""
    put(column, len(text))
    column += text


class Reading:
    """A column that is read from its beginning."""

    def __init__(self, column: bytes) -> None:
        self._column = column
        self._at = 0

    def number(self) -> int:
        """Raises IndexError at the end."""
        number = shift = 0
        while True:
            byte = self._column[self._at]
            self._at += 1
            number |= (byte & 127) << shift
            if byte < 128:
                return number
            shift += 7

    def signed(self) -> int:
        """Raises IndexError at the end."""
        number = self.number()
        return number >> 1 if not number & 1 else -(number >> 1) - 1

    def take(self, count: int) -> bytes:
        """The next bytes. Raises IndexError if there are fewer."""
        begun, self._at = self._at, self._at + count
        if self._at > len(self._column):
            raise IndexError(count)
        return self._column[begun : self._at]

    @property
    def left(self) -> int:
        """How many bytes were not read."""
        return len(self._column) - self._at
