"""Write what editors need, in the build, where nothing is compiled yet: the lists of families, and below a folder, if
one is named, stubs of the library. Or stubs of modules by name.
"""

import importlib
import sys
from pathlib import Path


def main(folder: str | None, modules: list[str]) -> None:
    """Of these modules, or of those of the source folder that this file is in."""
    if not modules:
        sys.path[0] = str(Path(__file__).resolve().parents[2])
        importlib.import_module("build_backend").only_declarations()
    from blocks.editors.family_lists import write_lists
    from blocks.editors.stubs import write_stubs

    if not modules:
        write_lists()
    if folder is not None:
        write_stubs(Path(folder), modules)


if __name__ == "__main__":
    main(next(iter(sys.argv[1:]), None), sys.argv[2:])
