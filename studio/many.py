"""A study or a comparison as a page."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from blocks.study import Outcome, Study
from studio.vary import Vary


class Many:
    """A study with all that its page tells."""

    def __init__(self, study: Study, name: str) -> None:
        self.study, self.name = study, name

    @classmethod
    def load(cls, path: Path, kind: str, changes: dict[str, Any]) -> Many:
        """Read a study or comparison file."""
        raise NotImplementedError

    def page(self, outcome: Outcome, vary: Iterable[str | Vary] = ()) -> str:
        """The page of what came out."""
        raise NotImplementedError
