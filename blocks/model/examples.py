"""Examples of parameters, which stand in the classes of blocks: for tests that go over every block, and for readers."""

from __future__ import annotations

from typing import Any

Example = dict[str, Any]
"""Parameters of a block by name."""


def variants(example: Example, *changes: Example) -> tuple[Example, ...]:
    """An example, and what each of the changes makes of it."""
    return (example, *(example | change for change in changes))
