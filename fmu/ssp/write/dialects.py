"""What single tools need to be told in annotations, each under its own type, which other tools pass over."""

from __future__ import annotations

from collections.abc import Iterable
from xml.etree import ElementTree as ET

from fmu.ssp.carried import own_settings
from fmu.ssp.parts import Exported
from fmu.ssp.system import System


def add_system_annotations(element: ET.Element, exported: Exported, step: float, *, with_outputs: bool) -> None:
    """OMSimulator's master, without which it does not open a file, and then what Keelblocks knows besides.

    OMSimulator 2 looks at the first annotation only, and there at FixedStepMaster. OMSimulator 3 looks at attributes
    of SimulationInformation, and takes a solver of this name for all components that name none. `with_outputs`: note
    what the diagram's outputs show, where the system has no connectors for them.
    """
    annotations = ET.SubElement(element, "ssd:Annotations")
    ours = ET.SubElement(annotations, "ssc:Annotation", type="org.openmodelica")
    information = ET.SubElement(
        ET.SubElement(ours, "oms:Annotations"),
        "oms:SimulationInformation",
        name="oms_ma_default",
        method="oms_ma",
        fixedStepSize=repr(step),
    )
    ET.SubElement(
        information,
        "oms:FixedStepMaster",
        description="oms-ma",
        stepSize=repr(step),
        absoluteTolerance="0.0001",
        relativeTolerance="0.0001",
    )
    noted = [*(_outputs(exported.system) if with_outputs else ()), *_blocks(exported, step)]
    if noted:  # in one element, for an annotation has no more
        annotation = ET.SubElement(annotations, "ssc:Annotation", type="org.keelblocks")
        ET.SubElement(annotation, "keelblocks:Diagram").extend(noted)


def _outputs(system: System) -> Iterable[ET.Element]:
    for name, end in system.outputs.items():
        assert end.part is not None
        attributes = {"name": name, "element": end.part.name, "port": end.port}
        if end.start is not None and end.stop is not None:
            attributes |= {"first": str(end.start + 1), "last": str(end.stop)}
        yield ET.Element("keelblocks:Output", attributes)


def _blocks(exported: Exported, step: float) -> Iterable[ET.Element]:
    """How blocks run FMUs from elsewhere, where it is not as `read_ssp` would let them: step, isolation, …"""
    for part in exported.parts:
        settings = own_settings(part.block) if part.block else {}
        if settings.get("communication_step") == str(step):
            del settings["communication_step"]
        if settings:
            yield ET.Element("keelblocks:FmuBlock", {"element": part.name} | settings)


def add_experiment_annotations(element: ET.Element, step: float) -> None:
    """The algorithm and step of libcosim."""
    annotation = ET.SubElement(
        ET.SubElement(element, "ssd:Annotations"), "ssc:Annotation", type="com.opensimulationplatform"
    )
    ET.SubElement(ET.SubElement(annotation, "osp:Algorithm"), "osp:FixedStepAlgorithm", baseStepSize=repr(step))
