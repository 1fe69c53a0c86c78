"""The manifest of a layered standard: which it is, and of which version (FMI 3.0, fmi3LayeredStandardManifest.xsd)."""

from __future__ import annotations

from xml.etree import ElementTree as ET

_SPACE = "http://fmi-standard.org/fmi-ls-manifest"
ET.register_namespace("fmi-ls", _SPACE)


def manifest_root(name: str, version: str, description: str, root: str = "") -> ET.Element:
    """An element with the attributes of a manifest; root: its name, if a standard has one of its own."""
    said = {"fmi-ls-name": name, "fmi-ls-version": version, "fmi-ls-description": description}
    return ET.Element(
        root or f"{{{_SPACE}}}fmiLayeredStandardManifest", {f"{{{_SPACE}}}{key}": text for key, text in said.items()}
    )


def manifest(name: str, version: str, description: str) -> bytes:
    """A manifest that says no more than that."""
    return document(manifest_root(name, version, description))


def document(root: ET.Element) -> bytes:
    """An XML file."""
    ET.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}\n'.encode()
