"""What is written into a scenario file is read as the same."""

from __future__ import annotations

import textwrap

import numpy as np

from blocks.scenario import Scenario
from blocks.scenario.writing import example_text
from blocks.trials.circumstances import driven
from blocks.trials.samples import Sample


def check_scenario_text(sample: Sample) -> None:
    """A block that is written to a scenario file and read again has the same plan, and so has its example."""
    diagram = driven(sample)
    text = Scenario(diagram, "round_trip", settings={"end": 1.0}).to_yaml()
    again = Scenario.from_text(text)
    if again.diagram.plan().stored != diagram.plan().stored:
        raise sample.fault(f"written to a scenario file and read again it is another block:\n{text}")
    if again.to_yaml() != text:
        raise sample.fault(
            f"the scenario file that is written of it changes when it is read and written again:\n{text}"
        )
    if sample.number == 0 and (example := example_text(sample.block_class)):
        _check_pasted(sample, example)


def _check_pasted(sample: Sample, example: str) -> None:
    """What `keelblocks show` prints as an example means those parameters."""
    text = f"keelblocks: 1\nname: pasted\ndiagram:\n  blocks:\n{textwrap.indent(example, '    ')}"
    (block,) = Scenario.from_text(text).diagram.blocks().values()
    meant = sample().values
    if other := [name for name, value in block.values.items() if not np.array_equal(value, meant[name])]:
        raise sample.fault(f"its example as `keelblocks show` prints it has another {', '.join(other)}:\n{example}")
