"""What single tools need to be told in annotations, each under its own type, which other tools pass over."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from fmu.system import System


def add_system_annotations(element: ET.Element, system: System, step: float, *, with_outputs: bool) -> None:
    """OMSimulator's master, without which it does not open a file, and then what Keelblocks knows besides.

    OMSimulator looks at the first annotation only. `with_outputs`: note what the diagram's outputs show, where the
    system has no connectors for them.
    """
    annotations = ET.SubElement(element, "ssd:Annotations")
    ours = ET.SubElement(annotations, "ssc:Annotation", type="org.openmodelica")
    information = ET.SubElement(ET.SubElement(ours, "oms:Annotations"), "oms:SimulationInformation")
    ET.SubElement(
        information,
        "oms:FixedStepMaster",
        description="oms-ma",
        stepSize=repr(step),
        absoluteTolerance="0.0001",
        relativeTolerance="0.0001",
    )
    if with_outputs and system.outputs:
        outputs = ET.SubElement(
            ET.SubElement(annotations, "ssc:Annotation", type="org.keelblocks"), "keelblocks:Outputs"
        )
        for name, end in system.outputs.items():
            assert end.part is not None
            attributes = {"name": name, "element": end.part.name, "port": end.port}
            if end.start is not None and end.stop is not None:
                attributes |= {"first": str(end.start + 1), "last": str(end.stop)}
            ET.SubElement(outputs, "keelblocks:Output", attributes)


def add_experiment_annotations(element: ET.Element, step: float) -> None:
    """The algorithm and step of libcosim."""
    annotation = ET.SubElement(
        ET.SubElement(element, "ssd:Annotations"), "ssc:Annotation", type="com.opensimulationplatform"
    )
    ET.SubElement(ET.SubElement(annotation, "osp:Algorithm"), "osp:FixedStepAlgorithm", baseStepSize=repr(step))
