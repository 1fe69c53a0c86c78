"""Views with names: what the build makes of a declaration, and what it refuses."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import pytest

from blocks.basic import Gain
from blocks.block import Block
from blocks.control import PID
from blocks.errors import DeclarationError
from blocks.kernel_views.completeness import refuse_other_forms, refuse_what_does_not_fit
from blocks.kernel_views.declarations import declared_blocks, snake
from blocks.kernel_views.entry_file import entry_file
from blocks.kernel_views.functions import functions_in, kernels
from blocks.kernel_views.groups import Form, groups_of
from blocks.kernel_views.members import refuse_unknown_members
from blocks.kernel_views.registry_file import counts_of
from blocks.kernel_views.source import Source, ViewError
from blocks.kernel_views.view_file import view_file
from blocks.kernel_views.write import write_all
from blocks.model.declare import Input, Output, Parameter, State
from blocks.model.derived import Crossing, Derived, extent
from blocks.plan.kernel import check_kernel
from blocks.signal import AnySignal, Force, Length, Velocity

ROOT = Path(__file__).parents[3]


class Anchor(Block, abstract=True):
    kernel = "anchor"
    sizes = ("n",)

    thrust = Input(Force, "of the bow thruster", when=lambda block: block.depth > 100.0)
    current = Input(Velocity, "of the water")
    tension = Output(Force, "of the chain")
    depth = Parameter(unit="m", doc="of the sea bed")
    far = Parameter(1.0, shape=("n",), doc="how far the chain reaches")
    holding = Parameter("mud", choices=("mud", "sand-and-shells"), doc="what it lies in")
    length = State(Length, "of the chain", initial=2.0)
    links = State(AnySignal, "held", discrete=True, private=True)
    count = State(Length, "so far", discrete=True, private=True)
    knots = Derived("along the chain", shape=("n+1", 3), unit="m")
    slack = Derived("at the bottom")
    aground = Crossing("of each link", shape=("n",))


class Kedge(Anchor, abstract=True):
    kernel = "kedge"
    fluke = Parameter(0.1, unit="m^2", doc="area")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A source folder with one kernel file, to be written."""
    (tmp_path / "cython_kernels" / "thrust").mkdir(parents=True)
    return tmp_path


def scanned(folder: Path, text: str, *classes: type[Block]):
    (folder / "cython_kernels" / "thrust" / "anchor.pxd").write_text(text, encoding="utf-8")
    return kernels(classes or (Anchor,), functions_in(Source(folder)))


def function(name: str, view: str = "AnchorView") -> str:
    return f"cdef inline void {name}(const {view}* b, double t) noexcept nogil:\n    pass\n"


def test_names_stand_in_the_order_of_the_declaration() -> None:
    text = view_file([Anchor], [Anchor])
    members = [line.split("#")[0].strip() for line in text.split("struct AnchorParameters:")[1].splitlines()[1:6]]
    assert members == [
        "const double* depth",
        "const double* far_",
        "const double* holding",
        "const double* initial_length",
        "",
    ]
    assert "# n×" not in text
    assert "const double* far_                      # n: how far the chain reaches" in text
    assert "double* knots                           # n+1×3, m: along the chain" in text
    assert "    ANCHOR_HOLDING_MUD = 0\n    ANCHOR_HOLDING_SAND_AND_SHELLS = 1\n" in text
    assert "    int n\n" in text
    assert "named.w.slack = named.w.knots + (b.n[0] + 1) * 3\n" in text
    assert "    const double length[1]" in text  # of fixed length: laid over the states
    assert [*groups_of(Anchor)["u"].members][-1].name == "thrust"  # what may be left out comes last


def test_a_group_without_members_has_nothing_to_read() -> None:
    class Bare(Block, abstract=True):
        level = Output(Length, "of nothing")

    assert {letter for letter, group in groups_of(Bare).items() if group.form is Form.EMPTY} == {*"upwxzgn", "dx"}
    assert "const void* w" in view_file([Bare], [Bare])


def test_a_view_becomes_that_of_an_ancestor_by_name() -> None:
    text = view_file([Kedge], [Anchor, Kedge])
    assert "cdef inline AnchorView kedge_as_anchor(const KedgeView* b)" not in text  # initial_length is elsewhere
    pid = next(cls for cls in declared_blocks(Source(ROOT)) if cls.__name__ == "GainScheduledPID")
    law = next(base for base in pid.__mro__ if base.__name__ == "PIDLaw")
    text = view_file([pid], [pid, law])
    assert "named.u = <const PIDLawInputs*>&b.u.reference\n" in text
    assert "named.x.filter = &b.x.filter[0]\n" in text


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("PID", "pid"),
        ("PIDLaw", "pid_law"),
        ("Vessel6DOF", "vessel_6dof"),
        ("LineOfSight3D", "line_of_sight_3d"),
        ("_Held", "held"),
    ],
)
def test_functions_are_called_after_the_class(name: str, expected: str) -> None:
    assert snake(type(name, (), {})) == expected


class Winch(Block, abstract=True):
    """Whose instances have ports and parameters of their own."""

    kernel = "winch"
    by_number = "uyp"
    enumerations: ClassVar = {"gear": ("neutral", "slow", "fast-er")}


def test_words_have_numbers_and_what_varies_is_counted_by_the_instance() -> None:
    text = view_file([Winch], [Winch])
    assert "WINCH_GEAR_NEUTRAL = 0\n    WINCH_GEAR_SLOW = 1\n    WINCH_GEAR_FAST_ER = 2\n" in text
    assert "const double** p" in text
    assert counts_of(Winch)[:3] == (-1, -1, -1)


def test_sizes_follow_from_what_is_declared() -> None:
    block = type("Laid", (Anchor,), {}, abstract=True)(depth=3.0, far=[1.0, 2.0])
    assert block.work_size({"n": 2}) == 10
    assert block.crossing_count({"n": 2}) == 2
    assert block.derived_place("slack", {"n": 2}) == 9
    assert extent(("(n+7)//8*8", 2), {"n": 9}) == 32
    with pytest.raises(DeclarationError, match="'n\\*\\*2' is no dimension: take whole numbers and names of sizes"):
        extent(("n**2",), {"n": 2})
    with pytest.raises(DeclarationError, match="there is no size 'm' for 'm\\+1'; valid: n"):
        extent(("m+1",), {"n": 2})
    with pytest.raises(AttributeError, match="has no port or parameter 'slack'"):
        _ = block.slack


def test_what_calls_a_kernel_makes_its_view(folder: Path) -> None:
    found = scanned(folder, function("anchor_setup") + function("anchor_outputs"))
    text = entry_file([*found.values()], [Anchor])
    assert "cdef inline void anchor_outputs_entry(const View* b, double t) noexcept nogil:" in text
    assert "    cdef AnchorView named = anchor_view(b)\n    anchor_outputs(&named, t)\n" in text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            function("ancor_outputs"),
            "Anchor has the kernel 'anchor', but no .pxd file in tests has one of its functions, such as "
            "'cdef inline void anchor_outputs(const AnchorView* b, double t) noexcept nogil:'; did you mean 'ancor'?",
        ),
        (
            function("anchor_outputs") + function("anchor_bits_update"),
            "anchor_bits_update (cython_kernels/thrust/anchor.pxd, line 3) looks like the update of a kernel "
            "'anchor_bits', but no block has such a kernel. If several kernels share it, let it take other arguments, "
            "or end its name in another word; did you mean 'anchor'?",
        ),
        (
            function("anchor_outputs", "SailView"),
            "anchor_outputs (cython_kernels/thrust/anchor.pxd, line 1) takes a SailView, but the kernel 'anchor' is "
            "that of Anchor, which sees an AnchorView",
        ),
        (
            function("anchor_outputs", "View"),
            "anchor_outputs (cython_kernels/thrust/anchor.pxd, line 1) takes a View, but the kernel 'anchor' is "
            "that of Anchor, which sees an AnchorView",
        ),
        (
            function("anchor_outputs") * 2,
            "anchor_outputs is in cython_kernels/thrust/anchor.pxd, line 1 and in cython_kernels/thrust/anchor.pxd, "
            "line 3: a kernel has one function of a kind",
        ),
    ],
)
def test_what_does_not_fit_is_told(folder: Path, text: str, message: str) -> None:
    with pytest.raises(ViewError) as refused:
        scanned(folder, text)
    assert str(refused.value) == message


def test_a_member_that_is_misspelt_is_told_with_its_line(folder: Path) -> None:
    text = (
        function("anchor_outputs")
        + "    b.y.tension[0] = b.p.depth[0] - t*b.p.far_[0]\n    b.y.tension[0] += b.w.slck[0]\n"
    )
    scanned(folder, text.replace("slck", "slack"))
    refuse_unknown_members(Source(folder), [Anchor])
    scanned(folder, text)
    with pytest.raises(ViewError) as refused:
        refuse_unknown_members(Source(folder), [Anchor])
    assert str(refused.value) == (
        "anchor_outputs (cython_kernels/thrust/anchor.pxd, line 4) takes b.w.slck, which is not among the derived "
        "constants that Anchor declares; did you mean 'slack'?"
    )


def test_kernels_that_are_chosen_are_named() -> None:
    chosen = type("Chosen", (Block,), {"kernel": property(lambda self: "one")}, abstract=True)
    with pytest.raises(ViewError, match="Chosen chooses its kernel by a property: name all that it chooses from"):
        kernels([chosen], {})
    other = type(
        "Other",
        (PID,),
        {"kernels": ("pid_filtered",), "kernel": property(lambda self: "pid_unfiltered")},
        abstract=True,
    )
    with pytest.raises(
        DeclarationError, match="Other chooses the kernel 'pid_unfiltered', but names only pid_filtered"
    ):
        check_kernel(other(1.0))


def test_an_instance_that_lacks_what_is_declared_before_others_is_refused() -> None:
    class Headless(PID, abstract=True):
        @property
        def input_ports(self):
            return {name: port for name, port in super().input_ports.items() if name != "reference"}

    with pytest.raises(DeclarationError, match=r"'measurement' would be taken for another\. Give what an instance may"):
        check_kernel(Headless(1.0))


def test_what_is_as_it_was_is_left_alone_and_what_is_stale_goes(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "cython_kernels" / "thrust" / "anchor.pxd").write_text(ALL, encoding="utf-8")
    monkeypatch.setattr("blocks.kernel_views.write.declared_blocks", lambda root: [Anchor])
    monkeypatch.setattr(Anchor, "__module__", "blocks.thrust.anchor")
    write_all(folder)
    made = {path: path.stat().st_mtime_ns for path in (folder / "cython_kernels").rglob("*.pxd")}
    assert {str(path.relative_to(folder / "cython_kernels")) for path in made} == {
        "thrust/anchor.pxd", "views/thrust/anchor.pxd", "entries/thrust/anchor.pxd", "registry.pxd",
    }  # fmt: skip
    stale = folder / "cython_kernels" / "views" / "power" / "windlass.pxd"
    stale.parent.mkdir()
    stale.touch()
    write_all(folder)
    assert {path: path.stat().st_mtime_ns for path in (folder / "cython_kernels").rglob("*.pxd")} == made
    assert not stale.parent.exists()


def test_derived_constants_want_a_setup() -> None:
    class Squared(Gain, abstract=True):
        square = Derived("K squared")

    with pytest.raises(
        DeclarationError, match="Squared declares the derived constants square, but its kernel 'gain' has"
    ):
        check_kernel(Squared(2.0))


ALL = "".join(function(f"anchor_{role}") for role in ("setup", "outputs", "derivatives", "update", "crossings"))
WRITE = "write 'cdef inline void anchor_{}(const AnchorView* b, double t) noexcept nogil:'"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            ALL + function(f"anchor_{near}"),
            f"anchor_{near} (cython_kernels/thrust/anchor.pxd, line 11) is not read as the {role} of the kernel "
            f"'anchor': {WRITE.format(role)}, or give what is none of its functions another name",
        )
        for near, role in {"output": "outputs", "updates": "update", "derivative": "derivatives"}.items()
    ]
    + [
        (
            ALL.replace(form, other),
            "anchor_update (cython_kernels/thrust/anchor.pxd, line 7) is not read as the update of the kernel "
            f"'anchor': {WRITE.format('update')}, or give what is none of its functions another name",
        )
        for form, other in {
            "cdef inline void anchor_update(": "cdef inline int anchor_update(",
            "inline void anchor_update(": "void anchor_update(",
            "anchor_update(const ": "anchor_update(",
            "anchor_update(const AnchorView* b, double t)": "anchor_update(const AnchorView* b, double time)",
        }.items()
    ]
    + [
        (
            ALL.replace(function(f"anchor_{role}"), ""),
            f"Anchor declares the {what}, but its kernel 'anchor' has no {roles}: {WRITE.format(role)}",
        )
        for role, what, roles in (
            ("setup", "derived constants knots, slack", "setup"),
            ("outputs", "outputs tension", "outputs"),
            ("derivatives", "continuous states length", "derivatives"),
            ("update", "discrete states links, count", "update"),
            ("crossings", "zero crossings aground", "crossings and no jumps"),
        )
    ],
)
def test_a_kernel_does_all_that_is_declared(folder: Path, text: str, message: str) -> None:
    with pytest.raises(ViewError) as refused:
        judged(folder, text)
    assert str(refused.value) == message


def judged(folder: Path, text: str, cls: type[Block] = Anchor) -> None:
    found = scanned(folder, text, cls)
    refuse_other_forms(Source(folder), found, functions_in(Source(folder)))
    refuse_what_does_not_fit(found)


def test_what_is_no_function_of_the_kernel_has_any_name_and_form(folder: Path) -> None:
    judged(folder, ALL + "cdef inline double anchor_update_of(const AnchorView* b, int i) noexcept nogil:\n    pass\n")


@pytest.mark.parametrize(
    ("declared", "message"),
    [
        ({"knots": Derived(shape=("m",))}, "Odd.knots has the size 'm', which is not among Odd.sizes = ('n',)"),
        ({"aground": Crossing(shape=("k+1",))}, "Odd.aground has the size 'k', which is not among Odd.sizes = ('n',)"),
        ({"sizes": ("n", "m")}, "Odd.sizes names 'm', which is in the shape of none of its ports, states and "),
        ({"slack": Derived(shape=("n**2",))}, "Odd.slack: 'n**2' is no dimension: take whole numbers and names of "),
        ({"length": None}, "anchor_derivatives (cython_kernels/thrust/anchor.pxd, line 5) has nothing to compute: "),
    ],
)
def test_sizes_have_names_that_are_known(folder: Path, declared: dict[str, object], message: str) -> None:
    odd = type("Odd", (Anchor,), declared, abstract=True)
    with pytest.raises(ViewError) as refused:
        judged(folder, ALL, odd)
    assert str(refused.value).startswith(message)
