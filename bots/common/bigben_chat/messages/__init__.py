"""Messages about races and boards, as values."""
