"""Figures and torture for the race server. Measures and breaks; serves nobody."""
