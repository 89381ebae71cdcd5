"""Big Ben for programs: positions as small numbers, and the search for winning lines."""
