"""What a result is worth: boards, points, ratings and profiles, as pure functions."""
