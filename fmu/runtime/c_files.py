"""The C files of the runtime for one version of FMI: what is compiled, and what an FMU carries as its sources.

Nothing of Keelblocks is imported here, because the build uses this file before anything is installed.
"""

import re
from pathlib import Path

SOURCES = Path(__file__).resolve().parent / "c"
TRANSLATION_UNIT = SOURCES / "keelblocks.c"
"""The one file to compile: it includes the others, and `engine.c`."""
WIDE_PATHS = SOURCES.parents[2] / "cython_kernels" / "mathematics" / "wide_paths.h"
"""What `engine.c` includes where KEELBLOCKS_WIDE is defined."""
MODEL_IN_C = "model_in_c.h"
"""What is included where KEELBLOCKS_NO_FILES is defined: the resources of one FMU, which its export writes."""
VERSIONS = ("2", "3")
"""Of FMI."""

_INCLUDE = re.compile(r'^#include "([^"]+)"[^\n]*\n', re.M)
_STANDARD = re.compile(r"fmi\d(?:Functions|FunctionTypes|TypesPlatform|PlatformTypes)\.h")  # of the importing tool


def c_files(version: str, engine: str) -> dict[str, str]:
    """`keelblocks.c` and all that it includes but `MODEL_IN_C`, by name, with the functions of one version of FMI.

    engine: what is to be `engine.c`. Raises OSError if a file cannot be read.
    """
    files: dict[str, str] = {}
    missing = [TRANSLATION_UNIT.name]
    while missing:
        name = missing.pop(0)
        text = engine if name == "engine.c" else Path(SOURCES, name).read_text(encoding="utf-8")
        files[name] = _for_version(text, version)
        used = [file for file in _INCLUDE.findall(files[name]) if not _STANDARD.fullmatch(file)]
        missing += [file for file in used if file not in (*files, *missing, MODEL_IN_C)]
    return files


def _for_version(text: str, version: str) -> str:
    """C without the functions of other versions: a tool for one version has the headers of that one."""
    others = {f"fmi{other}.c" for other in VERSIONS if other != version}
    return _INCLUDE.sub(lambda match: "" if match[1] in others else match[0], text)
