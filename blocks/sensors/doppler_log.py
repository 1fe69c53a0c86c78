"""The Doppler log."""

from __future__ import annotations

from collections.abc import Mapping

from blocks.block import Sizes
from blocks.errors import WiringError
from blocks.model.component import PortRef
from blocks.model.declare import AT_START, Input, Output, Parameter
from blocks.model.dependence import Pattern, Sources, between, each, whole
from blocks.sensors.instrument import Instrument, is_late, lever_arm, ring
from blocks.signal import BodyVelocity, LinearVelocity

_PORTS = {"water": "nu_r", "ground": "nu"}


class DopplerLog(Instrument):
    """A Doppler velocity log: the velocity of its transducers through the water or over ground, in body axes.

    v_m = k (v + ω × l) + b + σ N(0, 1)

    v_m: `velocity`, forward, to starboard, down, 3, m/s; v, ω: of the input, which is `nu_r` with track="water" and
    `nu` with track="ground"; l: `lever_arm` from the body origin to the transducers, 3, m; k: `scale`, about 1, as an
    error of the speed of sound makes it; b: `bias`, 3, m/s; σ: `noise`, standard deviation of a sample in each axis,
    m/s. An instrument with both tracks is two blocks.

    `delay` and `seed` are as in all instruments: `delay` whole samples late, until then showing `initial`; random
    numbers by seed, name of the block and number of the sample, however a run is split.

    Raises ParameterError if a parameter is out of range, WiringError for the input of the other track.

    Source: Fossen (2011), Handbook of Marine Craft Hydrodynamics and Motion Control, ch. 11.
    """

    examples = (
        {"period": 0.1, "noise": 0.01, "lever_arm": [0.5, 0.2, 0.3]},
        {"period": 0.1, "track": "ground", "delay": 2},
    )

    kernel = "doppler_log"
    by_number = "u"  # which has one of them

    nu_r = Input(BodyVelocity, 'ν_r, velocity through the water; with track="water" only')
    nu = Input(BodyVelocity, 'ν, velocity over ground; with track="ground" only')
    velocity = Output(LinearVelocity, "v_m, measured, in body axes")

    track = Parameter("water", choices=("water", "ground"), structural=True, doc="through the water, or over ground")
    noise = Parameter(0.0, unit="m/s", at_least=0.0, doc="σ, standard deviation of a sample, in each axis")
    bias = Parameter(0.0, shape=(3,), unit="m/s", labels=LinearVelocity.labels, doc="b, constant error")
    scale = Parameter(1.0, above=0.0, doc="k, what is measured over what is")
    lever_arm = lever_arm("where the transducers are")
    initial = Parameter(
        0.0,
        shape=(3,),
        unit="m/s",
        labels=LinearVelocity.labels,
        fixed=AT_START,
        doc="velocity that is shown before the first sample is through",
    )

    ring = ring(3, whole("initial"))

    @property
    def input_ports(self) -> Mapping[str, Input]:
        """The one of the track."""
        name = _PORTS[self.track]
        return {name: self.declared_inputs[name]}

    def input_port(self, name: str) -> PortRef:
        """An input port by name. Raises WiringError if there is none, or none of this track."""
        if name in self.declared_inputs and name != _PORTS[self.track]:
            other = next(track for track, port in _PORTS.items() if port == name)
            raise WiringError(
                f"{self._called()}.{name} exists with track='{other}' only, and track is '{self.track}': its input is "
                f"{_PORTS[self.track]}"
            )
        return super().input_port(name)

    def output_sources(self, output: str, sizes: Sizes) -> Sources | None:
        """Each axis has its own velocity and those that turning gives it."""
        if is_late(self):
            return self.late_sources(output)
        moved: dict[str, Pattern] = {_PORTS[self.track]: between({"u": "u q r", "v": "v p r", "w": "w p q"})}
        return moved | each("bias") | whole("noise", "scale", "lever_arm", "seed", "sample")

    def late_sources(self, output: str) -> Sources:
        """A column for each axis."""
        return self.ring_sources(3, [[0], [1], [2]])
