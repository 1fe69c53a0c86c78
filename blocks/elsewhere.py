"""What solvers and blocks of other tools are called here: for messages about unknown names, and for the documentation.

Each fact stands once, here; `python docs/coming_from.py` writes the tables of docs/coming_from from it. Pure words: of
the library itself nothing is imported.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

SIMULINK, MODELICA, SCIPY, MSS = "Simulink", "Modelica", "SciPy", "MSS"


@dataclass(frozen=True)
class Counterpart:
    """What something of another tool is here: one name or several, or none, and what one has to know of it."""

    tool: str
    theirs: str
    ours: tuple[str, ...]
    note: str = ""

    @property
    def advice(self) -> str:
        """In words: "Simulink's Transport Delay is basic.Delay here; in samples"."""
        whose = f"{self.tool}'s {self.theirs}"
        if not self.ours:
            return f"{whose} has no counterpart here: {self.note}"
        return f"{whose} is {' and '.join(self.ours)} here{f'; {self.note}' if self.note else ''}"


def _rows(tool: str, text: str) -> list[Counterpart]:
    """Counterparts from lines "theirs, theirs | ours, ours | note"."""
    rows = []
    for line in text.strip().splitlines():
        theirs, ours, *note = (" ".join(cell.split()) for cell in line.split("|"))
        named = tuple(name.strip() for name in ours.split(",") if name.strip())
        rows += [Counterpart(tool, name.strip(), named, *note) for name in theirs.split(",")]
    return rows


SOLVERS = [
    *_rows(
        SIMULINK,
        """
        ode45 | dopri5 | the same pair of formulas, Dormand-Prince 5(4), with other tolerances by default
        ode23 | dopri5 | the lower order is not here; dopri5 with a wider tolerance does its work
        ode78, ode89 | dopri5 | the higher orders are not here; give it a tighter relative_tolerance
        ode113 | LSODA | Adams formulas of varying order, which LSODA takes while nothing is stiff
        ode15s | BDF | or Radau, or LSODA if only parts of the run are stiff
        ode23s, ode23t, ode23tb | Radau | implicit, for stiff diagrams
        daessc, ode15i | BDF | blocks are ordinary differential equations: nothing implicit is solved
        ode1 | euler
        ode2 | heun
        ode3 | rk4 | the order below is not here
        ode4 | rk4 | the same formula
        ode5, ode8 | rk4 | or dopri5, which chooses its steps itself; fixed steps of higher order are not here
        ode14x, ode1be | Radau | implicit, with steps that it chooses itself
        VariableStepAuto | dopri5 | or BDF where it takes very many steps
        FixedStepAuto | rk4
        VariableStepDiscrete, FixedStepDiscrete | euler | sampled blocks run with every solver
        """,
    ),
    *_rows(
        MODELICA,
        """
        dassl, dasslrt | BDF | backward differentiation of varying order, as there; or LSODA
        ida, cvode | BDF | or LSODA
        lsodar | LSODA
        rungekutta, rungekutta4, Rkfix4 | rk4
        Rkfix2 | heun
        Rkfix3 | rk4 | the order below is not here
        dopri45, Cerk45, rungekuttaSsc, gbode | dopri5
        dopri853, Cerk34, Cerk23 | dopri5 | the other orders are not here
        radauIIa, imprungekutta, impeuler, trapezoid, irksco, Esdirk23a, Esdirk34a, Esdirk45a, Sdirk34hw | Radau
        """,
    ),
    *_rows(
        SCIPY,
        """
        RK45 | dopri5 | the same pair of formulas, and located events
        RK23 | dopri5 | the lower order is not here
        DOP853 | dopri5 | the higher order is not here; give it a tighter relative_tolerance
        """,
    ),
    *_rows(MSS, "euler2 | euler"),
]
"""Solvers of other tools, and which one to take here."""

BLOCKS = [
    *_rows(
        SIMULINK,
        """
        Ground | basic.Constant | inputs that need not be connected are left open
        Sine Wave | basic.Sine | offset for Bias; the frequency in rad/s, or with a unit
        Pulse Generator | basic.Pulse | width from 0 to 1, not in %
        Repeating Sequence | basic.TimeSeries | times and data; it is not repeated, so give all periods
        Signal Builder, Signal Editor, From Workspace, From File, From Spreadsheet | basic.TimeSeries | or the \
            argument inputs of simulate
        Digital Clock | basic.Clock, basic.ZeroOrderHold | one behind the other
        Chirp Signal | basic.Formula | of the output of a basic.Clock
        Band-Limited White Noise | basic.WhiteNoise | by spectral density
        Random Number | basic.GaussianNoise | by mean and standard deviation, not variance
        Uniform Random Number | basic.UniformNoise
        Add, Subtract | basic.Sum | signs="+-" as there
        Divide | basic.Product | operations="*/" as there
        Dot Product, Bias, Polynomial, Math Function, Fcn, MATLAB Function | basic.Formula | equations as text, \
            checked for units; longer code is a block in Python or a compiled one
        Abs, Sqrt, Trigonometric Function | basic.Function | or basic.Formula
        Unary Minus, Slider Gain | basic.Gain | `keelblocks live` and pages have sliders
        Matrix Multiply | basic.MatrixGain | a constant matrix; of two signals: basic.Formula
        Rounding Function | basic.Rounding
        Integrator Limited | basic.LimitedIntegrator
        Second-Order Integrator | basic.Integrator | two of them
        Transfer Fcn, Zero-Pole | basic.TransferFunction | numerator and denominator, highest power first
        Transport Delay, Variable Transport Delay, Variable Time Delay | basic.Delay | it counts samples: a dead time \
            τ is τ/period of them, and constant
        PID Controller, Discrete PID Controller | control.PID | parallel form; anti-windup, filter and angles are \
            parameters
        Memory | basic.UnitDelay | with a period of its own
        Tapped Delay, Difference, Discrete Derivative, Discrete Transfer Fcn, Discrete State-Space, Discrete Filter | \
            basic.Formula | by `update`, with a period
        Discrete-Time Integrator | basic.DiscreteIntegrator | forward, backward or trapezoidal, as there
        Rate Transition | basic.ZeroOrderHold | rates may be mixed without one: who samples holds
        Saturation Dynamic | basic.MinMax | two of them, or min and max in a basic.Formula
        Relay, Backlash, Hysteresis | basic.Formula | by `update`, with a period: a state that remembers which side \
            it was on
        Coulomb and Viscous Friction | basic.Formula
        Hit Crossing | basic.Compare | where it jumps is located, with dopri5
        Relational Operator, Compare To Constant, Compare To Zero | basic.Compare
        Logical Operator, If, Switch Case | basic.Formula | `and`, `or`, `not`, `a if c else b`
        1-D Lookup Table | basic.LookupTable1D
        2-D Lookup Table | basic.LookupTable2D
        n-D Lookup Table, Prelookup | | tables have one or two variables; more are a block in Python or a compiled one
        Bus Creator, Vector Concatenate | basic.Mux
        Bus Selector | basic.Selector | or an element by its label in the wire: vessel.eta[psi]
        Multiport Switch | basic.Switch | one for each further choice, or `a if c else b` in a basic.Formula
        Manual Switch | basic.Switch | with a basic.Constant as control, which may be changed live
        Goto, From | | wires: one output leads to as many inputs as one likes
        Data Store Memory, Data Store Read, Data Store Write, Merge | | signals have one source each; a state in a \
            basic.Formula remembers
        Floating Scope | basic.Scope | its figure comes with the run; `keelblocks live` shows signals while it runs
        Display, To Workspace, To File, XY Graph | | all signals are recorded; take them from the result, or \
            see docs/running.md
        Terminator | | outputs may be left open
        Outport, Inport | | `outputs` and `inputs` of a diagram
        Stop Simulation | | the argument stop of simulate, or stop: in run:
        Subsystem, Model | | a diagram is a block: `diagram:` in YAML, Diagram.add in Python
        Enabled Subsystem, Triggered Subsystem | | not here: a basic.Switch chooses between outputs, and sampled \
            blocks have periods
        S-Function | | a compiled library, see `keelblocks new library`; in Python, a PythonBlock
        Chart | guidance.MissionPlan, basic.Formula | the phases of a mission, in words; other states by `update`; \
            state charts as such are not here
        FMU | fmu.FmuBlock | as it is, of FMI 2 and 3
        6DOF | dynamics.Vessel6DOF | with added mass, damping, restoring forces and current
        """,
    ),
    *_rows(
        MODELICA,
        """
        Limiter, VariableLimiter | basic.Saturation | lower and upper for uMin and uMax; limits that vary: basic.MinMax
        FirstOrder | basic.FirstOrderLag | time_constant for T; gain by basic.Gain
        SecondOrder | basic.TransferFunction
        LimIntegrator | basic.LimitedIntegrator
        LimPID, PI | control.PID | kp, ki, kd: parallel, not k (1 + 1/(Ti s) + Td s)
        TransferFunction | basic.TransferFunction | the same order, highest power first
        FixedDelay, PadeDelay | basic.Delay | in samples of a period
        SlewRateLimiter | basic.RateLimiter
        Feedback, Add3, MultiSum | basic.Sum
        Division, MultiProduct | basic.Product
        RealExpression | basic.Formula
        CombiTable1Ds, CombiTable1Dv | basic.LookupTable1D
        CombiTable2Ds, CombiTable2Dv | basic.LookupTable2D
        CombiTimeTable, TimeTable | basic.TimeSeries
        Sampler | basic.ZeroOrderHold
        LogicalSwitch | basic.Switch
        Multiplex | basic.Mux
        DeMultiplex | basic.Demux
        Greater, GreaterThreshold, Less, LessThreshold | basic.Compare
        """,
    ),
    *_rows(
        MSS,
        """
        otter | dynamics.Vessel6DOF, thrust.DifferentialThrust | with vehicle: otter, or otter_payload
        npsauv | dynamics.ComplexVessel6DOF, thrust.ControlSurfaces | with vehicle: npsauv
        DSRV | dynamics.ComplexVessel6DOF, thrust.ControlSurfaces | with vehicle: dsrv
        mariner | dynamics.PolynomialVessel, thrust.PolynomialRudder | with vehicle: mariner
        tanker | dynamics.PolynomialVessel, thrust.PolynomialRudder | with vehicle: esso_tanker
        container | dynamics.PolynomialVessel, thrust.PropellerRudder | with vehicle: container
        navalvessel | dynamics.PolynomialVessel, thrust.Rudder | with vehicle: naval_vessel
        frigate, zeefakkel | dynamics.NomotoVessel, thrust.PolynomialRudder | with vehicle: frigate, zeefakkel
        crossFlowDrag | dynamics.CrossFlowDrag | cross_flow_… of vessels does the same inside
        supply | dynamics.Vessel3DOF, thrust.AzimuthThrusters | with vehicle: supply
        osv | dynamics.ComplexVessel6DOF, thrust.AzimuthThrusters | with vehicle: osv
        semisub | dynamics.Vessel6DOF, thrust.AzimuthThrusters | with vehicle: semisub
        remus100 | dynamics.Vessel6DOF | with vehicle: remus100; its fins and propeller are blocks of their own
        LOSchi, crosstrackWpt, crosstrack | guidance.LineOfSight
        ILOSpsi | guidance.IntegralLineOfSight
        ALOSpsi | guidance.AdaptiveLineOfSight
        ALOS3D, crosstrackWpt3D | guidance.LineOfSight3D
        hermiteSpline, getPathSignals, projectToPath, ALOSpsiHermite, hybridPath | guidance.CurvedPath
        order3, order5 | guidance.MinimumSnapTrajectory
        addIntermediateWaypoints | guidance.CurvedPath, guidance.MissionPlan | waypoints as they are with pchip; a \
            survey makes its own lines
        refModel, refModelPolyExp, refModel3 | guidance.ReferenceModel
        PIDnonlinearMIMO, DPpolePlacement | control.DynamicPositioning
        PIDpolePlacement | control.HeadingAutopilot
        integralSMC, integralSMCheading | control.IntegralSlidingMode
        allocPseudoinverse | thrust.ThrustAllocation
        waveForceRAO | environment.WaveForceRAO
        waveMotionRAO | environment.MotionRAO
        waveresponse345 | environment.BoxShipMotion | roll with the amplitude of the wave, which MSS leaves out
        vessel2ss, FDIRadMod | dynamics.SeakeepingVessel | fitted by `vessel_parameters`
        waveSpectrum | environment.JonswapSea, environment.BretschneiderSea, environment.PiersonMoskowitzSea
        torsetSpectrum | environment.TorsethaugenSea | with form: full
        isherwood72 | environment.IsherwoodWindLoad
        blendermann94 | environment.BlendermannWindLoad
        flat2llh | navigation.GeodeticPosition
        llh2flat | navigation.LocalPosition
        forceLiftDrag | thrust.Foil
        lowPassFilter | basic.FirstOrderLag
        highPassFilter, notchFilter | basic.TransferFunction
        ssa | basic.WrapAngle | guidance and controllers do it themselves
        sat, satlim | basic.Saturation
        insSignal | sensors.Imu, sensors.Gnss
        nomoto | dynamics.NomotoVessel
        """,
    ),
]
"""Blocks and functions of other tools, and what has their place here."""


def solver(name: str) -> Counterpart | None:
    """What a solver of another tool is here."""
    return _SOLVERS.get(_plain(name))


def block(name: str) -> Counterpart | None:
    """What a block or function of another tool is here, by its name with or without what stands before a dot."""
    return _BLOCKS.get(_plain(name.rpartition(".")[2]))


def _plain(name: str) -> str:
    """A name as one compares it: "Transfer Fcn", "TransferFcn" and "transfer_fcn" are the same."""
    return re.sub(r"[^a-z0-9]", "", str(name).lower())


_SOLVERS = {_plain(row.theirs): row for row in reversed(SOLVERS)}
_BLOCKS = {_plain(row.theirs): row for row in reversed(BLOCKS)}
