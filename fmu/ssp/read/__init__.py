"""Open an SSP as a diagram: its FMUs become blocks, its systems diagrams, its connections wires.

`diagram = fmu.read_ssp("mission.ssp")`
"""

from fmu.ssp.read.reading import read_ssp

__all__ = ["read_ssp"]
