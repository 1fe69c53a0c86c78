"""C for controllers that several tests compile and run, written once."""

from __future__ import annotations

from pathlib import Path

import pytest
from busy import busy

from blocks import Diagram
from blocks.basic import Gain, Integrator
from fmu.flat_c.export import export_c


@pytest.fixture(scope="session")
def integrator() -> Diagram:
    """A gain ahead of an integrator, from `flow` to `level`."""
    diagram = Diagram("tank")
    diagram.add("gain", Gain(2.0))
    diagram.add("level", Integrator(initial_x=1.0))
    diagram.connect(diagram["gain"].y, diagram["level"].u)
    diagram.inputs(flow=diagram["gain"].u)
    diagram.outputs(level=diagram["level"].y)
    return diagram


@pytest.fixture(scope="session")
def tank(integrator: Diagram, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """That integrator as C, with steps of 0.5 s."""
    return export_c(integrator, tmp_path_factory.mktemp("c") / "tank", step=0.5)


@pytest.fixture(scope="session")
def busy_c(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The diagram in which everything happens as C, with steps of 0.01 s by rk4."""
    return export_c(busy(), tmp_path_factory.mktemp("c") / "busy", step=0.01, name="busy")
