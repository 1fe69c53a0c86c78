"""The package itself: it loads what it offers when that is asked for."""

import subprocess
import sys

import pytest

import blocks


def test_nothing_heavy_is_loaded_before_it_is_asked_for() -> None:
    code = "import sys, blocks; print(sorted({'numpy', 'xarray', 'pydantic', 'blocks.block'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_what_it_offers_is_there_and_so_are_its_modules() -> None:
    everything: dict[str, object] = {}
    exec("from blocks import *", everything)
    assert set(dir(blocks)) == set(everything) - {"__builtins__"}
    code = "import blocks; print(blocks.errors.KeelblocksError is blocks.KeelblocksError, blocks.dynamics.__name__)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "True blocks.dynamics\n"


def test_a_name_that_it_does_not_have_is_told_with_the_nearest() -> None:
    with pytest.raises(AttributeError, match="module 'blocks' has no attribute 'simulat'") as caught:
        blocks.simulat  # noqa: B018
    assert (caught.value.name, caught.value.obj) == ("simulat", blocks)  # from which Python finds the nearest
