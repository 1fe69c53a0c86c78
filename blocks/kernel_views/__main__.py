"""Write views, entries and registry of the source folder that this file is in."""

import importlib
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def main() -> int:
    """Before anything is compiled."""
    sys.path[0] = str(ROOT)
    importlib.import_module("build_backend").only_declarations()
    from blocks.kernel_views.source import ViewError
    from blocks.kernel_views.write import write_all

    try:
        write_all(ROOT)
    except ViewError as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
