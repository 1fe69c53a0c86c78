"""Files of other tools that are zips: FMUs and SSPs, of ours and as others write them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from savers import system

import fmu
from fuzzing.mutate.archive import archive
from fuzzing.reader import Reader


def _fmus(folder: Path) -> Mapping[str, bytes]:
    made = {
        f"lag{version[0]}.fmu": fmu.export(system(0), folder / "made.fmu", fmi=version).read_bytes()
        for version in ("2.0", "3.0")
    }
    return {name: _light(content) for name, content in made.items()}


def _light(content: bytes) -> bytes:
    """Without what no reader reads, so that a case takes less time."""
    import io
    import zipfile

    kept = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as source, zipfile.ZipFile(kept, "w") as target:
        for info in source.infolist():
            if not info.filename.startswith(("documentation/", "sources/")):
                data = source.read(info)
                target.writestr(info.filename, data[:2000] if info.filename.startswith("binaries/") else data)
    return kept.getvalue()


def _ssps(folder: Path) -> Mapping[str, bytes]:
    import io
    import zipfile

    made = {}
    for version in ("1.0", "2.0"):
        content = fmu.export_ssp(system(0), folder / "made.ssp", version=version, step=0.1).read_bytes()
        kept = io.BytesIO()
        with zipfile.ZipFile(io.BytesIO(content)) as source, zipfile.ZipFile(kept, "w") as target:
            for name in source.namelist():
                target.writestr(name, _light(source.read(name)) if name.endswith(".fmu") else source.read(name))
        made[f"lag{version[0]}.ssp"] = kept.getvalue()
    return made


def _fmu(path: Path) -> Any:
    return fmu.FmuBlock.of(path)


READERS = (
    Reader("fmu", _fmus, _fmu, archive, 4),
    Reader("ssp", _ssps, lambda path: fmu.read_ssp(path), archive, 3),
)
