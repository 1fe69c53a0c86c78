"""What can be wrong with a metric."""

from __future__ import annotations

from blocks.errors import KeelblocksError


class MetricError(KeelblocksError):
    """A metric cannot be read, or not be measured in this run."""
