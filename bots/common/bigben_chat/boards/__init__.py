"""The players' own boards, and which of them a typed command is about."""
