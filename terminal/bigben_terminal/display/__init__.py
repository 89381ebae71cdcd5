"""What a terminal shows: boards, tables, sentences, and the line that is being typed."""
