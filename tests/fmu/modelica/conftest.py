"""Packages of the Minerva mission, as they leave by the command, and the tool that runs them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from modelica_tool import Package

from blocks import Diagram, Scenario
from blocks.cli.commands import cli
from blocks.report import add_outputs

EXAMPLES = Path(__file__).parents[3] / "examples"
MISSION = EXAMPLES / "minerva_los.yaml"


@pytest.fixture(scope="session")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """The package of the mission, by `keelblocks export` with these options."""

    def export(*options: str, file: str = "") -> Path:
        folder = tmp_path_factory.mktemp("modelica")
        arguments = ["export", str(MISSION), "--format", "modelica", "--output", str(folder / file), *options]
        done = CliRunner().invoke(cli, arguments)
        assert done.exit_code == 0, done.output
        return folder / (file or "MinervaLos")

    return export


@pytest.fixture(scope="session")
def package(exported: Callable[..., Path]) -> Package:
    """The whole mission, its plant and its autopilot."""
    path = exported()
    return Package(path, path.parent / "host")


@pytest.fixture(scope="session")
def mission() -> Diagram:
    """The mission with the outputs that it leaves with."""
    scenario = Scenario.load(MISSION)
    add_outputs(scenario.diagram, scenario.report)
    return scenario.diagram
