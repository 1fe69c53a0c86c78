"""Where the C stands that the build makes of the engine and its kernels.

Nothing of Keelblocks is imported here: the build uses this file before anything is installed.
"""

from pathlib import Path

GENERATED = Path(__file__).resolve().parents[1] / "generated"
ENGINE_C = GENERATED / "engine.c"
"""The engine as C without Python, of which the runtimes of FMUs and plans compiled whole are made."""
LANES_C = GENERATED / "lanes.c"
"""The same for several members at once, see `lanes/`."""
READABLE_ENGINE_C = GENERATED / "readable" / "engine.c"
"""The same for people: what source-code FMUs have."""
