"""What tests of simulators share."""

from __future__ import annotations

import numpy as np

from blocks import Input, Output, Parameter, PythonBlock
from blocks.basic.common import AnyScalar


def same(a, b) -> bool:
    return np.array_equal(a.time, b.time) and all(np.array_equal(a.values(n), b.values(n)) for n in a.places)


class Doubler(PythonBlock):
    """y = k u."""

    u = Input(AnyScalar, "in")
    y = Output(AnyScalar, "out")
    k = Parameter(2.0, doc="gain")

    def outputs(self, t, states, inputs):
        return {"y": self.k * inputs["u"]}
