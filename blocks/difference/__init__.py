"""What differs: between two scenarios (`scenario_difference`), and between two results (`compare_results`)."""

from .picture import draw_difference
from .results import ResultComparison, SignalDifference, compare_results, parse_tolerances
from .scenarios import Change, ScenarioDifference, scenario_difference
from .text import scenario_text

__all__ = [
    "Change",
    "ResultComparison",
    "ScenarioDifference",
    "SignalDifference",
    "compare_results",
    "draw_difference",
    "parse_tolerances",
    "scenario_difference",
    "scenario_text",
]
