"""The C library for Windows on x86_64, where zig compiles: that of Windows itself, instead of zig's.

zig links functions of its own, and where one is needed all of them come, with those for numbers of 16, 80 and 128 bits:
a third of the runtime. Those of Windows are in every Windows 10, and the engine in Python computes with them there.
What is not in this list is still zig's. Nothing of Keelblocks is imported here but its neighbours, because the build
uses this file before anything is installed.
"""

import subprocess
import sys
from pathlib import Path

from cython_kernels.plain_c.compilers import BuildError

from ..c_files import SOURCES

WHAT_WINDOWS_LACKS = SOURCES / "windows_library.c"
"""To be linked too."""

_FUNCTIONS = {
    "api-ms-win-crt-math-l1-1-0": (
        "ceil copysign fabs floor fma fmod frexp ldexp nearbyint remainder rint round sqrt trunc"
    ),
    "api-ms-win-crt-private-l1-1-0": "memchr memcmp memcpy memmove strchr strrchr strstr",
    "api-ms-win-crt-string-l1-1-0": "memset strcat strcmp strcpy strcspn strlen strncat strncmp strncpy strspn",
}


def import_libraries(folder: Path) -> list[str]:
    """Make the import libraries in a folder; their names. To be linked ahead of zig's own. Raises BuildError."""
    folder.mkdir(parents=True, exist_ok=True)
    names = []
    for library, functions in _FUNCTIONS.items():
        definition = folder / f"{library}.def"
        definition.write_text(
            "\n".join([f"LIBRARY {library}.dll", "EXPORTS", *functions.split(), ""]), encoding="ascii"
        )
        command = [sys.executable, "-m", "ziglang", "dlltool", "-m", "i386:x86-64", "-d", definition.name]
        done = subprocess.run([*command, "-l", f"{library}.lib"], cwd=folder, stdout=sys.stderr, check=False)
        if done.returncode:
            raise BuildError(f"listing the functions of {library}.dll failed, see above: {' '.join(command)}")
        names.append(str(folder / f"{library}.lib"))
    return names
