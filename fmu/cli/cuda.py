"""`keelblocks export --format cuda`: what of the options it takes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fmu.cli.flat_c import settings_of_fixed_steps
from fmu.cuda.export import export_cuda


def write_cuda(part: Any, name: str, folder: Path, how: Mapping[str, Any], system: Mapping[str, Any]) -> Path:
    """Write a part as CUDA C++ into a folder."""
    return export_cuda(part, folder, name=name, **settings_of_fixed_steps(how))
