"""Blocks with kernels."""

from blocks import Block, Input, Output, Parameter, State
from blocks.model.dependence import whole
from blocks.signal import Force, Length, Speed


class Proper(Block):
    """Force of a spring that is stretched at a speed: dx/dt = u, f = k x.

    u: `speed`, m/s; f: `force`, N; k: `stiffness`, N/m.

    Definition: a linear spring.
    """

    kernel = "proper"

    speed = Input(Speed, "at which it is stretched")
    force = Output(Force, "of the spring", feedthrough=False)
    stiffness = Parameter(3.0, unit="N/m", doc="k")
    x = State(Length, doc="how far it is stretched")


class Secret(Proper):
    """A spring whose force depends on the speed, too, and which does not say so.

    Definition: a linear spring with a damper.
    """

    kernel = "secret"


class Unwritten(Proper):
    """A spring whose force is forgotten in compression.

    Definition: none.
    """

    kernel = "unwritten"


class Diverging(Proper):
    """A spring whose stretch has no finite rate.

    Definition: none.
    """

    kernel = "diverging"


class Remembering(Proper):
    """A spring that counts its calls, where nobody sees it.

    Definition: a spring that wears out.
    """

    kernel = "remembering"


class Blind(Proper):
    """A spring with two outputs that are asked for apart, whose kernel writes both.

    Definition: a linear spring with a damper.
    """

    kernel = "blind"

    damping = Output(Force, "of the damper", feedthrough=True, depends=whole("speed", "stiffness"))


class Forgetful(Block):
    """The mean of a table, of the first three rows however many there are.

    y: `force`, N.

    Definition: a mean.
    """

    examples = ({"table": [1.0, 2.0, 4.0]},)

    kernel = "forgetful"
    sizes = ("m",)

    force = Output(Force, "the mean")
    table = Parameter(shape=("m",), unit="N", doc="what the mean is taken of")
