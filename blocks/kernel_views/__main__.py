"""Write views, entries and registry of the source folder that this file is in."""

import sys
import types
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def main() -> int:
    """Declarations need numpy and nothing else: `blocks` itself, which needs more, is an empty package meanwhile."""
    sys.path[0] = str(ROOT)
    blocks = types.ModuleType("blocks")
    blocks.__path__ = [str(ROOT / "blocks")]
    sys.modules["blocks"] = blocks

    from blocks.kernel_views.declarations import ViewError
    from blocks.kernel_views.write import write_all

    try:
        write_all(ROOT)
    except ViewError as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
