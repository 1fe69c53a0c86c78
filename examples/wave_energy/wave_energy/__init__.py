"""Wave energy: a heaving float, the force of the sea on it, and the machinery that takes power from it."""

from wave_energy.end_stops import EndStops
from wave_energy.excitation import HeaveExcitation
from wave_energy.heaving_float import HeavingFloat
from wave_energy.power_take_off import PowerTakeOff

__all__ = ["EndStops", "HeaveExcitation", "HeavingFloat", "PowerTakeOff"]
