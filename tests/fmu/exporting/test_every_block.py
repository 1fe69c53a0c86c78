"""Every block of the library as an FMU, with the numbers of `simulate`; tests/fmu/hosts shows them to other tools."""

from __future__ import annotations

import numpy as np

import fmu
from blocks import Diagram, simulate
from blocks.basic import Gain, Selector

STEP, STEPS = 0.05, 20


def shapes(sample):
    """How wide the inputs are of a block that nothing but a wire tells that."""
    return {"u": 3} if isinstance(sample(), Selector) else {}


def component(sample):
    """The block; behind a gain if nothing but a wire says how wide its input is."""
    block = sample()
    if not isinstance(block, Selector):
        return block
    diagram = Diagram("selected")
    gain = diagram.add("gain", Gain([1.0, 1.0, 1.0]))
    diagram.add("selector", block)
    diagram.connect(gain.y, block.u)
    diagram.inputs(u=gain.u)
    diagram.outputs(y=block.y)
    return diagram


def test_a_block_leaves_as_an_fmu_and_computes_the_same(sample, tool, tmp_path):
    path = fmu.export(sample(), tmp_path / "block.fmu", step=STEP, input_shapes=shapes(sample))
    one = tool(path).instantiate()
    inputs = {name: v for name, v in one.variables.items() if v.causality == "input"}
    given = dict(zip(inputs, 0.1 + 0.05 * np.arange(len(inputs)), strict=True))
    one.set(given)
    one.initialize()
    names = one.outputs()
    rows = [one.get(*names), *one.run(STEPS, *names, size=STEP)]

    block = component(sample)
    values = {p: [v for name, v in given.items() if name.partition("[")[0] == p] for p in block.input_ports}
    shaped = {port: v[0] if port in inputs else np.array(v) for port, v in values.items()}
    result = simulate(block, STEP * STEPS, step=STEP, inputs=shaped, record=list(block.output_ports))
    expected = np.column_stack([result.values(port).reshape(len(result), -1) for port in block.output_ports])
    np.testing.assert_array_equal(rows, expected)
