"""Declarations: ports, states and parameters as attributes; what a parameter takes, and what it says to the rest."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from blocks import Block, Input, Output, Parameter, State, library
from blocks.basic import FirstOrderLag, Gain, Integrator, Saturation, Sine, UnitDelay
from blocks.errors import DeclarationError, ParameterError, near_misses
from blocks.model.dependence import whole
from blocks.model.text_parameter import FileParameter
from blocks.signal import Angle, Length, Number, Pose, Speed


class Craft(Block, abstract=True):
    """Parameters of every kind."""

    kernel = "gain"
    sizes = ("n",)
    positional = ("mass", "gains")

    u = Input(Speed, "speed")
    y = Output(Speed, "speed again")
    mass = Parameter(unit="kg", above=0.0, doc="m")
    gains = Parameter(1.0, shape=("n",), unit=None)
    limits = Parameter(2.0, shape=("n",), unit="m", at_least=0.0, at_most=10.0)
    angle = Parameter(0.0, unit="rad", at_least=-4.0, below=4.0)
    place = Parameter((0.0, 0.0, 1.0), shape=(3,), unit="m", frame="ned", labels=("x", "y", "z"))
    table = Parameter(0.0, shape=(2, 3), unit=("m", "m", "m", "rad", "rad", "rad"))
    attitude = Parameter(0.0, shape=(2,), unit=("m", "rad"))
    inertia = Parameter(1.0, shape=("k", "k"), unit="kg")
    count = Parameter(3, integer=True, at_least=1)
    mode = Parameter("slow", choices=("slow", "fast"))
    active = Parameter(True)
    x = State(Number, initial=0.5)
    hidden = State(Length, private=True)


def craft(**given: Any) -> Craft:
    return Craft(**({"mass": 5.0} | given))


def refused(**given: Any) -> str:
    with pytest.raises(ParameterError) as problem:
        craft(**given)
    return str(problem.value)


# --- values that are taken -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "given", "taken"),
    [
        ("mass", 8, 8.0),
        ("mass", "8.4 kg", 8.4),
        ("mass", "8400 g", 8.4),
        ("mass", "8.4", 8.4),
        ("mass", np.float32(2.0), 2.0),
        ("mass", np.array(2.0), 2.0),
        ("angle", "90 deg", np.pi / 2),
        ("gains", [1, 2], [1.0, 2.0]),
        ("gains", (1.0,), [1.0]),
        ("gains", np.array([1, 2], dtype=np.int16), [1.0, 2.0]),
        ("gains", 4.0, 4.0),
        ("gains", "1 kN", 1000.0),
        ("gains", ["180 deg", "60 rpm"], [np.pi, 1.0]),
        ("limits", ["1 m", "20 cm", 3], [1.0, 0.2, 3.0]),
        ("limits", "50 cm", 0.5),
        ("limits", np.array(["1 m", "2 m"]), [1.0, 2.0]),
        ("attitude", ["2 km", "180 deg"], [2000.0, np.pi]),
        ("inertia", {"diag": [1, 2]}, [[1.0, 0.0], [0.0, 2.0]]),
        ("inertia", {"diag": ["1 t", 2]}, [[1000.0, 0.0], [0.0, 2.0]]),
        ("table", np.arange(6).reshape(2, 3), [[0, 1, 2], [3, 4, 5]]),
        ("count", 7.0, 7),
        ("mode", "fast", "fast"),
        ("active", np.False_, False),
        ("initial_x", -1, -1.0),
    ],
)
def test_values_that_fit_are_taken_in_si(name, given, taken):
    value = craft(**{name: given}).values[name]
    np.testing.assert_array_equal(value, taken) if not isinstance(taken, (str, bool)) else None
    assert isinstance(value, np.ndarray) == isinstance(taken, list)
    if not isinstance(taken, list):
        assert (value, type(value)) == (taken, type(taken))


def test_defaults_fill_fixed_shapes():
    block = craft()
    np.testing.assert_array_equal(block.table, np.zeros((2, 3)))
    np.testing.assert_array_equal(block.place, [0.0, 0.0, 1.0])
    assert (block.gains, block.initial_x, block.count, block.mode, block.active) == (1.0, 0.5, 3, "slow", True)


# --- values that are refused -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"mass": 0.0}, "Craft.mass must be > 0 kg, not 0"),
        ({"mass": -1}, "Craft.mass must be > 0 kg, not -1"),
        ({"mass": float("nan")}, "Craft.mass must be finite, not nan"),
        ({"mass": float("inf")}, "Craft.mass must be finite, not inf"),
        ({"mass": "nan"}, "Craft.mass must be finite, not 'nan'"),
        ({"mass": 10**400}, "Craft.mass must be a number in kg, not 1000"),
        ({"mass": "8 m"}, "Craft.mass: '8 m' is in m, but kg is wanted"),
        ({"mass": "heavy"}, "Craft.mass: 'heavy' is not a number with a unit"),
        ({"mass": None}, "Craft.mass must be a number in kg, not None"),
        ({"mass": True}, "Craft.mass must be a number in kg, not True"),
        ({"mass": 1j}, "Craft.mass must be a number in kg, not 1j"),
        ({"mass": [1.0]}, "Craft.mass must be a number in kg, not an array of 1"),
        ({"mass": {"value": 1}}, "Craft.mass must be a number in kg, not {'value': 1}"),
        ({"gains": [[1.0]]}, "Craft.gains must be an array of n, not an array of 1×1"),
        ({"gains": []}, "Craft.gains must be an array of n, not empty"),
        ({"gains": [1.0, [2.0]]}, "Craft.gains must be an array of n, not [1.0, [2.0]]"),
        ({"gains": [1.0, True]}, "Craft.gains must be an array of n, not True"),
        ({"gains": np.array([True, False])}, "Craft.gains must be an array of n, not True"),
        ({"gains": np.array([1j])}, "Craft.gains must be an array of n, not array([0.+1.j])"),
        ({"gains": ["1 parsnip"]}, "Craft.gains: '1 parsnip' is not a number with a unit"),
        ({"limits": [1.0, -0.5]}, "Craft.limits[1] must be ≥ 0 and ≤ 10 m, not -0.5"),
        ({"limits": [1.0, 10.5]}, "Craft.limits[1] must be ≥ 0 and ≤ 10 m, not 10.5"),
        ({"limits": 11}, "Craft.limits must be ≥ 0 and ≤ 10 m, not 11"),
        ({"limits": [1.0, float("nan")]}, "Craft.limits must be finite, not [1.0, nan]"),
        ({"angle": 4.0}, "Craft.angle must be ≥ -4 and < 4 rad, not 4; in degrees it is '4 deg'"),
        ({"angle": "300 deg"}, "Craft.angle must be ≥ -4 and < 4 rad, not 5.23599"),
        ({"angle": "1 rev"}, "Craft.angle must be ≥ -4 and < 4 rad, not 6.28319"),
        ({"place": 1.0}, "Craft.place must be an array of 3 in m, not the single number 1"),
        ({"place": [1.0, 2.0]}, "Craft.place must be an array of 3 in m, not an array of 2"),
        ({"table": np.zeros((3, 2))}, "Craft.table must be an array of 2×3, not an array of 3×2"),
        ({"attitude": ["1 m", "2 m"]}, "Craft.attitude: '2 m' is in m, but rad is wanted"),
        ({"inertia": [[1.0, 0.0]]}, "Craft.inertia must be an array of k×k, not of 1×2"),
        ({"count": 2.5}, "Craft.count must be a whole number, not 2.5"),
        ({"count": 0}, "Craft.count must be ≥ 1, not 0"),
        ({"mode": "fst"}, "Craft.mode must be one of 'slow', 'fast', not 'fst'; did you mean 'fast'?"),
        ({"mode": 1}, "Craft.mode must be one of 'slow', 'fast', not 1"),
        ({"active": 1}, "Craft.active must be true or false, not 1"),
        ({"active": "yes"}, "Craft.active must be true or false, not 'yes'"),
        ({"initial_x": "2 m"}, "Craft.initial_x: '2 m' is in m, but a number without a unit is wanted"),
        (
            {"gains": [1.0, 2.0], "limits": [1.0, 2.0, 3.0]},
            "Craft.gains has 2 entries, limits has 3: they must have the same",
        ),
        ({"mas": 1.0}, "no parameter 'mas' on Craft; did you mean 'mass'?"),
        ({"initial_hidden": 1.0}, "no parameter 'initial_hidden' on Craft"),
    ],
)
def test_values_that_do_not_fit_are_refused_in_words(given, said):
    assert said in refused(**given)


def test_what_is_required_is_asked_for():
    with pytest.raises(ParameterError, match=r"^Craft.mass is missing: a number in kg is wanted$"):
        Craft()


def test_parameters_without_names():
    assert (Craft(3.0, [1.0]).mass, Gain(2.0).gain) == (3.0, 2.0)
    with pytest.raises(ParameterError, match=r"Gain takes at most 1 parameters? without a name, not 2"):
        Gain(1.0, 2.0)
    with pytest.raises(ParameterError, match=r"Gain.gain is given twice"):
        Gain(1.0, gain=2.0)


# --- changing them ---------------------------------------------------------------------------------------------------


def test_a_change_is_made_whole_or_not_at_all():
    block = craft(gains=[1.0, 2.0], limits=[3.0, 4.0])
    before = dict(block.values)
    for bad in ({"mass": 6.0, "count": 0}, {"mass": 6.0, "typo": 0}, {"mass": 6.0, "gains": [1.0, 2.0, 3.0]}):
        with pytest.raises(ParameterError):
            block.set(**bad)
        assert block.values == before, bad
    with pytest.raises(ParameterError, match=r"lower must not exceed upper"):
        (limits := Saturation(-1.0, 1.0)).set(lower=2.0)
    assert limits.lower == -1.0


def test_assignment_is_checked_like_a_call():
    block = craft()
    block.mass = "2 t"
    assert block.mass == 2000.0
    with pytest.raises(ParameterError, match=r"must be > 0 kg"):
        block.mass = 0.0
    assert block.mass == 2000.0


def test_parameters_without_a_class_attribute_are_assigned_too():
    """Initial values, periods and offsets: an assignment that only made an attribute would change nothing."""
    lag, delay = FirstOrderLag(1.0), UnitDelay(period=0.1)
    lag.initial_x = 7.0
    delay.period = "0.2 s"
    assert (lag.values["initial_x"], delay.values["period"], delay.period) == (7.0, 0.2, 0.2)
    with pytest.raises(ParameterError, match=r"UnitDelay.period must be > 0 s, not -1"):
        delay.period = -1.0


def test_ports_cannot_be_assigned():
    with pytest.raises(AttributeError, match=r"Gain.u is a port: use Diagram.connect to wire it"):
        Gain().u = 1.0


def test_arrays_are_the_blocks_own_and_do_not_change():
    mine = np.array([1.0, 2.0])
    gain = Gain(mine)
    mine[0] = 99.0
    np.testing.assert_array_equal(gain.gain, [1.0, 2.0])
    with pytest.raises(ValueError, match=r"read-only"):
        gain.gain[0] = 5.0
    with pytest.raises(ValueError, match=r"read-only"):
        craft(inertia={"diag": [1.0, 2.0]}).inertia[0, 0] = 5.0
    with pytest.raises(ValueError, match=r"read-only"):
        craft().table[0, 0] = 5.0


def test_blocks_do_not_share_defaults():
    one, other = craft(), craft()
    one.set(mass=1.0, place=[1.0, 2.0, 3.0])
    assert other.mass == 5.0
    np.testing.assert_array_equal(other.place, [0.0, 0.0, 1.0])


def test_a_copy_is_equal_and_independent():
    block = craft(gains=[1.0, 2.0], mode="fast", initial_x=3.0)
    block.sources["mass"] = "a paper"
    twin = block.copy()
    assert twin.sources == {"mass": "a paper"}
    assert all(np.array_equal(twin.values[name], value) for name, value in block.values.items())
    twin.set(mass=1.0)
    twin.sources.clear()
    assert (block.mass, block.sources) == (5.0, {"mass": "a paper"})


def test_near_misses_of_names():
    with pytest.raises(AttributeError, match=r"Sine has no port or parameter 'amplitud'; did you mean 'amplitude'\?"):
        Sine().amplitud  # noqa: B018
    with pytest.raises(AttributeError, match=r"has no port or parameter 'zzz'; valid: "):
        Gain().zzz  # noqa: B018


def test_what_a_block_shows_of_itself():
    assert repr(Gain()) == "Gain()"
    assert repr(Gain([1.0, 2.0])) == "Gain(gain=[1., 2.])"
    assert repr(craft(mode="fast")) == "Craft(mass=5.0, mode='fast')"


def test_the_signature_tells_the_parameters():
    parameters = Craft.__signature__.parameters
    assert list(parameters)[:2] == ["mass", "gains"]
    assert parameters["mass"].default is parameters["mass"].empty
    assert parameters["mode"].default == "slow"


# --- declarations ----------------------------------------------------------------------------------------------------


def test_what_is_declared_is_found_in_order():
    assert list(Craft.parameters)[:3] == ["mass", "gains", "limits"]
    assert list(Craft.all_parameters())[-1] == "initial_x"
    assert list(Craft.declared_states) == ["x", "hidden"]
    assert (Craft.mass.unit, Craft.u.signal, Craft.y.doc) == ("kg", Speed, "speed again")


def test_declarations_are_inherited_and_can_be_replaced():
    class Heavier(Craft, abstract=True):
        mass = Parameter(100.0, unit="kg", above=50.0)
        limits = None
        extra = Parameter(1.0)

    assert Heavier().mass == 100.0
    assert "limits" not in Heavier.parameters
    assert {"extra", "gains"} <= set(Heavier.parameters)
    assert Craft.parameters["mass"].required, "the base class is as it was"


def test_sampled_blocks_have_a_period_and_an_offset():
    assert {"period", "offset"} <= set(UnitDelay.parameters)
    assert "period" not in Gain.parameters
    with pytest.raises(ParameterError, match=r"UnitDelay.period is missing: a number in s is wanted"):
        UnitDelay()


def test_a_feedthrough_of_an_input_that_is_not_there_is_refused():
    with pytest.raises(
        DeclarationError, match=r"Odd.y depends on 'force', which is not an input; did you mean 'forces'\?"
    ):

        class Odd(Block, abstract=True):
            forces = Input(Number)
            y = Output(Number, feedthrough=("force",))


def test_a_limit_that_is_no_parameter_is_refused():
    with pytest.raises(
        DeclarationError, match=r"Odd.y is held within 'limit', which is not a parameter; did you mean 'limits'\?"
    ):

        class Odd(Block):
            y = Output(Number, within=("-limit", "limit"))
            limits = Parameter(1.0)


def test_a_source_that_is_not_there_is_refused_where_it_is_declared():
    for kind, given in ((Output, "depends"), (State, "depends"), (State, "start")):
        with pytest.raises(DeclarationError, match=r"Odd.x depends on 'gian', which is no input.*did you mean 'gain'"):
            type("Odd", (Gain,), {"x": kind(Number, **{given: whole("u", "gian")})}, abstract=True)


def test_names_that_every_block_has_are_refused():
    for name in ("name", "parent", "values", "copy", "set", "path", "evaluate", "kernel", "states"):
        with pytest.raises(DeclarationError, match=f"Odd cannot declare '{name}': every block has something else"):
            type("Odd", (Block,), {name: Parameter(1.0)}, abstract=True)
    with pytest.raises(
        DeclarationError, match=r"Odd.initial_x is the initial value of the state x, and cannot be declared"
    ):
        type("Odd", (Block,), {"x": State(Number), "initial_x": Parameter(1.0)}, abstract=True)


def test_forms_in_words():
    forms = {name: parameter.form() for name, parameter in Craft.parameters.items()}
    assert forms["mass"] == "a number in kg"
    assert forms["gains"] == "an array of n"
    assert forms["place"] == "an array of 3 in m"
    assert forms["table"] == "an array of 2×3"
    assert forms["count"] == "a whole number"
    assert forms["mode"] == "one of slow, fast"
    assert forms["active"] == "true or false"
    assert Craft.limits.range_text() == "≥ 0 and ≤ 10"


def test_the_library_knows_blocks_by_family_and_class():
    known = library()
    assert known["basic.Integrator"] is Integrator
    assert list(known) == sorted(known)
    assert not any("Craft" in name for name in known), "abstract blocks are not in it"


def test_sizes_follow_from_parameters():
    assert craft(gains=[1.0, 2.0, 3.0]).known_sizes() == {"n": 3}
    assert craft().known_sizes() == {}
    assert Integrator(initial_x=[1.0, 2.0]).known_sizes() == {"n": 2}


def test_from_vehicle_takes_parameters_with_their_sources():
    from blocks.dynamics import Vessel6DOF

    vessel = Vessel6DOF.from_vehicle("minerva", buoyancy=5000.0)
    assert vessel.buoyancy == 5000.0
    assert "buoyancy" not in vessel.sources, "what is changed has another source"
    assert vessel.sources["rigid_body_inertia"]
    assert set(vessel.sources) < set(vessel.values)
    with pytest.raises(ParameterError, match=r"no parameter 'weigth' on Vessel6DOF; did you mean 'weight'\?"):
        Vessel6DOF.from_vehicle("minerva", weigth=1.0)


def test_ports_of_a_class_are_declarations_and_of_a_block_references():
    assert isinstance(Gain.u, Input)
    assert str(Gain().u) == "Gain.u"
    assert Pose.shape == (6,)
    assert Angle.unit == "rad"


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("", "Craft.hull must be the path of a file, not empty"),
        (3, "Craft.hull must be the path of a file, not 3"),
        (None, "Craft.hull must be the path of a file, not None"),
    ],
)
def test_what_is_no_path_is_refused(value: object, said: str) -> None:
    with pytest.raises(ParameterError) as refused:
        FileParameter(doc="its hull").read(value, "Craft.hull")
    assert str(refused.value) == said


def test_the_beginning_of_a_name_is_enough_for_a_hint():
    blocks = ["MMGVessel", "MMGPropulsion", "PID", "NomotoVessel"]
    assert near_misses("mmg", blocks) == ["MMGPropulsion", "MMGVessel"]
    assert near_misses("M", blocks) == []
