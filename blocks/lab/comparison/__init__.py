"""Comparisons: a study of many runs, its metrics in one table, figures and one report.

compared = Comparison.load("examples/comparisons/los_benchmark.yaml").run()
compared.save("results/los_benchmark")
"""

from blocks.lab.comparison.compared import Compared
from blocks.lab.comparison.comparison import Comparison
from blocks.lab.comparison.errors import ComparisonError
from blocks.lab.comparison.summary import Row, Spread
from blocks.lab.comparison.view import View

__all__ = ["Compared", "Comparison", "ComparisonError", "Row", "Spread", "View"]
