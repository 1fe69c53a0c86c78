"""What the packages of the families offer is made from the declarations."""

import importlib
from pathlib import Path

import blocks
from blocks.block import FAMILIES, Block, library
from blocks.kernel_views.family_lists import family_lists

ROOT = Path(blocks.__file__).parents[1]
BY_HAND = {"dynamics": {"Vessel"}, "environment": {"IrregularSea"}, "navigation": {"local_position"}}
"""What a package offers besides blocks that scenario files can name."""


def test_a_family_offers_what_scenarios_can_name_and_what_it_says_by_hand() -> None:
    for family in FAMILIES:
        package = importlib.import_module(f"blocks.{family}")
        own = {
            cls.__name__
            for name, cls in library().items()
            if cls.__module__.startswith("blocks.") and name.startswith(f"{family}.")
        }
        assert set(package.__all__) == own | BY_HAND.get(family, set())
        for name in own:
            assert issubclass(getattr(package, name), Block)


def test_the_lists_are_those_that_the_build_has_written() -> None:
    for path, text in family_lists(ROOT).items():
        assert path.read_text(encoding="utf-8") == text
