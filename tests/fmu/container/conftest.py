"""FMUs from elsewhere that containers hold."""

from __future__ import annotations

import foreign_fmus
import pytest


@pytest.fixture(scope="module")
def fmus(tmp_path_factory):
    """A folder for those of a file."""
    return tmp_path_factory.mktemp("fmus")


@pytest.fixture(scope="module")
def tank(fmus):
    """The heated tank."""
    return foreign_fmus.build("tank", fmus)
