"""SSP files as OMSimulator 2 and 3 read them, by their sources: see `omsimulator` in tests/support."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from omsimulator import Refused, open_with_2, open_with_3
from systems import COMMUNICATION_STEP, STEP, nested, oscillator, repacked

import fmu
from blocks import Diagram
from blocks.basic import Integrator
from blocks.scenario import Scenario

MISSION = Path(__file__).parents[3] / "examples" / "minerva_los.yaml"


def export(component, path, **settings):
    return fmu.export_ssp(component, path, step=STEP, communication_step=COMMUNICATION_STEP, **settings)


@pytest.mark.parametrize(
    ("make", "settings", "connections"),
    [
        (oscillator, {}, 5),
        (lambda: oscillator(driven=True), {}, 7),
        (nested, {"subsystems": ["inner.lag"], "boundary": False}, 13),
        (lambda: Scenario.load(MISSION).diagram, {}, 23),
        (lambda: Scenario.load(MISSION).diagram, {"subsystems": ["plant.vessel"], "boundary": False}, 43),
    ],
)
def test_a_package_opens_with_its_times_and_connections(tmp_path, make, settings, connections):
    path = export(make(), tmp_path / "system.ssp", start=0.5, end=4, **settings)
    for found in (open_with_2(path), open_with_3(path)):
        assert (found.start, found.stop, found.step) == (0.5, 4.0, COMMUNICATION_STEP)
        assert not found.passed_over
    assert len(open_with_2(path).connections) == connections


def test_what_the_two_versions_read(tmp_path):
    second = export(oscillator(), tmp_path / "second.ssp", version="2.0")
    assert open_with_3(second).step == COMMUNICATION_STEP
    with pytest.raises(Refused, match=r"Unknown SSP version 2\.0"):
        open_with_2(second)
    scalars = export(nested(), tmp_path / "scalars.ssp", fmi="3.0", arrays=False, clocks=False)
    assert open_with_3(scalars)
    with pytest.raises(Refused, match="has arrays"):
        open_with_3(export(nested(), tmp_path / "arrays.ssp", fmi="3.0"))


CLOSING = "</ssd:System>"


def test_connectors_of_the_system_that_it_refuses_are_said(tmp_path):
    with pytest.warns(fmu.ExportWarning, match=r"command\[1\], .* and 5 more\. OMSimulator 2 .*boundary=False"):
        path = export(nested(), tmp_path / "nested.ssp")
    with pytest.raises(Refused, match=r"command\[1\], a connector of the system, is no identifier"):
        open_with_2(path)
    assert open_with_3(path)
    diagram = Diagram("named")
    diagram.add("heave", Integrator())
    diagram.inputs(u="heave.u")
    diagram.outputs(heave="heave.y")
    with pytest.warns(fmu.ExportWarning, match=r"the name of a component: heave\."):
        path = export(diagram, tmp_path / "named.ssp")
    with pytest.raises(Refused, match="heave not found: a connector of the system has the name of a component"):
        open_with_2(path)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            CLOSING,
            '<ssd:SystemGeometry x1="0" y1="0" x2="9" y2="9" />' + CLOSING,
            'Unexpected tag "ssd:SystemGeometry"',
        ),
        (CLOSING, CLOSING + "<ssd:Annotations />", 'Unexpected tag "ssd:Annotations"'),
        ("</ssd:Component>", "<ssd:Annotations /></ssd:Component>", 'Unexpected tag "ssd:Annotations"'),
        ('type="org.openmodelica"', 'type="org.other"', "no master in the first annotation"),
        ('description="oms-ma"', 'description="other"', "Failed to import oms:SimulationInformation"),
        ('name="oscillator"', 'name="a-b"', '"a-b" is not a valid ident'),
        ('endConnector="in2"', 'endConnector="in3"', "Connector force.in3 not found"),
        ("resources/spring.ssv", "resources/other.ssv", "other.ssv.* failed"),
        ('version="1.0" name', 'version="1.1" name', "Unknown SSP version"),
    ],
)
def test_the_reader_is_as_strict(tmp_path, old, new, message):
    """What OMSimulator 2 ends at is refused, or these tests would say nothing."""
    path = export(oscillator(), tmp_path / "good.ssp")
    with zipfile.ZipFile(path) as archive:
        text = archive.read("SystemStructure.ssd").decode()
    assert old in text
    bad = repacked(path, tmp_path / "bad.ssp", {"SystemStructure.ssd": text.replace(old, new, 1).encode()})
    with pytest.raises(Refused, match=message):
        open_with_2(bad)
