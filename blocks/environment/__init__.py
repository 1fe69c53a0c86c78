"""Environment: what the water and the air do to a vehicle."""

from blocks.environment.bretschneider_sea import BretschneiderSea
from blocks.environment.current import UniformCurrent
from blocks.environment.current_field import CurrentField
from blocks.environment.gauss_markov_current import GaussMarkovCurrent
from blocks.environment.gusting_wind import GustingWind
from blocks.environment.jonswap_sea import JonswapSea
from blocks.environment.pierson_moskowitz_sea import PiersonMoskowitzSea
from blocks.environment.regular_wave import RegularWave
from blocks.environment.sea import IrregularSea
from blocks.environment.sea_surface import SeaSurface, WaveGauges
from blocks.environment.sheared_current import PowerLawCurrent, ShearedCurrent
from blocks.environment.tabulated_sea import TabulatedSea
from blocks.environment.torsethaugen_sea import TorsethaugenSea
from blocks.environment.wave_force_rao import WaveForceRAO
from blocks.environment.wave_load import WaveLoad
from blocks.environment.wind import UniformWind
from blocks.environment.wind_field import WindField
from blocks.environment.wind_load import WindLoad

__all__ = [
    "BretschneiderSea",
    "CurrentField",
    "GaussMarkovCurrent",
    "GustingWind",
    "IrregularSea",
    "JonswapSea",
    "PiersonMoskowitzSea",
    "PowerLawCurrent",
    "RegularWave",
    "SeaSurface",
    "ShearedCurrent",
    "TabulatedSea",
    "TorsethaugenSea",
    "UniformCurrent",
    "UniformWind",
    "WaveForceRAO",
    "WaveGauges",
    "WaveLoad",
    "WindField",
    "WindLoad",
]
