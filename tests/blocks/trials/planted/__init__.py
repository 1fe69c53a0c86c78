"""A library whose blocks have one fault each, for the trials to find."""

from planted.compiled import Blind, Diverging, Forgetful, Proper, Remembering, Secret, Unwritten
from planted.written import BrokenExample, Endless, Failing, OddUnit, Silent, Sourceless, Unexemplified, Unheld

__all__ = [
    "Blind", "BrokenExample", "Diverging", "Endless", "Failing", "Forgetful", "OddUnit", "Proper", "Remembering",
    "Secret", "Silent", "Sourceless", "Unexemplified", "Unheld",
    "Unwritten",
]  # fmt: skip
