"""Environment: what the water and the air do to a vehicle."""

from blocks.environment.current import UniformCurrent
from blocks.environment.wave_load import WaveLoad
from blocks.environment.wind import UniformWind
from blocks.environment.wind_load import WindLoad

__all__ = ["UniformCurrent", "UniformWind", "WaveLoad", "WindLoad"]
