"""What a deal is worth: winning lines, players who see what a player sees, and grades."""

from bigben_solver.solution import Result, Solution
from bigben_solver.solving import solve

__all__ = ["Result", "Solution", "solve"]
