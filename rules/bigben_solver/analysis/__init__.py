"""The analysis of one seat's play of a deal whose race is closed."""

from bigben_solver.analysis.asked import Answer, Choice, Question, answered
from bigben_solver.analysis.seats import Asking, analysed, par_of
from bigben_solver.analysis.values import CARD, CERTAIN, VERSION, CostlyMove, Point, SeatAnalysis

__all__ = [
    "CARD",
    "CERTAIN",
    "VERSION",
    "Answer",
    "Asking",
    "Choice",
    "CostlyMove",
    "Point",
    "Question",
    "SeatAnalysis",
    "analysed",
    "answered",
    "par_of",
]
