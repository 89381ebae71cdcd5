"""Messages about races and boards, as values. Nothing here sends them."""
