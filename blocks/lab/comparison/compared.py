"""Compared: what came out of a comparison, with its figures and its report."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from blocks.files.writing import replacing
from blocks.lab.comparison.errors import ComparisonError
from blocks.lab.comparison.outcome import ComparisonOutcome

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TABLES = ("csv", "parquet")


class Compared(ComparisonOutcome):
    """What came out of a comparison: `outcome`, that of its study, and `runs`, the members that are shown.

    `table` has a row for each member, `rows` one for each level of each factor. `figures()` draws, `save` writes all.
    """

    def figures(self) -> dict[str, Figure]:
        """The figures that can be drawn, by name."""
        from blocks.lab.comparison.figures import draw

        return draw(self)

    def report(self) -> str:
        """The report as one HTML file, figures and all."""
        from blocks.lab.comparison.page import page

        return page(self, self.figures())

    def save(self, folder: str | PathLike[str], *, tables: tuple[str, ...] = TABLES) -> list[Path]:
        """Write the table, the figures and the report into a folder. Raises ComparisonError if that is not possible."""
        from blocks.lab.comparison.page import page

        target = Path(folder)
        try:
            target.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise ComparisonError(f"cannot write to {target}: {problem.strerror or problem}") from None
        written = [self.outcome.save(target / f"table.{ending}") for ending in tables if _can(ending)]
        drawn = self.figures()
        pictures = _pictures(drawn)
        content: Mapping[str, bytes] = {f"figures/{name}.png": png for name, png in pictures.items()} | {
            "report.html": page(self, drawn, pictures).encode()
        }
        for name, data in content.items():
            path = target / name
            try:
                with replacing(path) as part:
                    part.write_bytes(data)
            except OSError as problem:
                raise ComparisonError(f"cannot write {path}: {problem.strerror or problem}") from None
            written.append(path)
        return written


def _can(ending: str) -> bool:
    if ending != "parquet":
        return True
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        return False
    return True


def _pictures(drawn: Mapping[str, Any]) -> dict[str, bytes]:
    from blocks.lab.comparison.figures import png

    return {name: png(figure) for name, figure in drawn.items()}
