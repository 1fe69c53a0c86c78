"""Edits of a scenario's text: each changes only the lines that say it."""

from blocks.scenario.edits.edits import Edits

__all__ = ["Edits"]
