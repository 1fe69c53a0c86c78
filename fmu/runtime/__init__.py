"""The FMU runtime: C files, and the shared libraries that were built of them, one per platform.

A runtime holds the engine, every kernel and the FMI functions, but no model: that stands in the resources of an FMU.
"""

from __future__ import annotations

from pathlib import Path

from blocks.errors import ExportError, did_you_mean
from fmu.runtime.build import fmi_platform

BINARIES = Path(__file__).resolve().parent / "binaries"


def platforms() -> list[str]:
    """The platforms that there is a runtime for, by FMI's names: "linux64", "win64", …"""
    return sorted(p.name for p in BINARIES.iterdir() if any(p.iterdir())) if BINARIES.is_dir() else []


def binary(platform: str) -> Path:
    """The runtime for a platform. Raises ExportError if there is none."""
    found = sorted((BINARIES / platform).glob("keelblocks.*")) if platform in platforms() else []
    if not found:
        available = platforms()
        hint = did_you_mean(platform, available) if available else "; build it with: make build"
        raise ExportError(f"there is no FMU runtime for the platform '{platform}'{hint}")
    return found[0]


__all__ = ["BINARIES", "binary", "fmi_platform", "platforms"]
