"""Kernel of the battery: x = state of charge; z = 1 once it is cut off, 1 while it is full and takes nothing."""

from libc.math cimport fmin, sqrt

from cython_kernels.mathematics.events cimport side
from cython_kernels.mathematics.tables cimport table_value
from cython_kernels.view cimport View

cdef enum:                          # parameters
    BATTERY_CAPACITY = 0
    BATTERY_CHARGE = 1              # abscissae of the open-circuit voltage
    BATTERY_OPEN_CIRCUIT = 2
    BATTERY_RESISTANCE = 3
    BATTERY_CHARGE_EFFICIENCY = 4
    BATTERY_CUT_OFF_CHARGE = 5
    BATTERY_CUT_OFF_VOLTAGE = 6
    BATTERY_RESTART_CHARGE = 7

ctypedef struct BatteryLoad:
    double voltage                  # at the terminals
    double current                  # positive where it discharges


cdef inline double battery_wanted(const View* b) noexcept nogil:
    """The sum of the powers."""
    cdef double wanted = 0.0
    cdef int i
    for i in range(b.n[0]):
        wanted += b.u[0][i]
    return wanted


cdef inline BatteryLoad battery_load(const View* b, bint cut_off, bint full) noexcept nogil:
    """Voltage and current at the wanted power, as far as the battery gives or takes it."""
    cdef BatteryLoad load
    cdef double emf = table_value(b.p[BATTERY_CHARGE], b.p[BATTERY_OPEN_CIRCUIT], b.n[1], b.x[0], True)
    cdef double resistance = b.p[BATTERY_RESISTANCE][0]
    cdef double wanted = battery_wanted(b)
    cdef double room = emf * emf - 4.0 * resistance * wanted
    if (cut_off and wanted > 0.0) or (full and wanted < 0.0):
        load.current = 0.0
    elif room < 0.0:                # more than the battery can give: the most that it can
        load.current = 0.5 * emf / resistance
    else:                           # the smaller root of R i^2 - E i + P = 0, without a difference of equal numbers
        load.current = 2.0 * wanted / (emf + sqrt(room))
    load.voltage = emf - resistance * load.current
    return load


cdef inline bint battery_cut_off(const View* b) noexcept nogil:
    """True if the battery is to be cut off now, or to stay so: by what it would do if it were not."""
    cdef double charge = b.x[0]
    return (
        charge <= b.p[BATTERY_CUT_OFF_CHARGE][0]
        or battery_load(b, False, False).voltage < b.p[BATTERY_CUT_OFF_VOLTAGE][0]
        or (b.z[0] != 0.0 and charge < b.p[BATTERY_RESTART_CHARGE][0])
    )


cdef inline bint battery_full(const View* b) noexcept nogil:
    """True if it is to take no more."""
    return b.x[0] >= 1.0 and battery_wanted(b) < 0.0


cdef inline void battery_outputs(const View* b, double t) noexcept nogil:
    """voltage, current, power, empty; state_of_charge is a state."""
    cdef BatteryLoad load
    if b.y[0] != NULL or b.y[1] != NULL or b.y[2] != NULL:
        load = battery_load(b, b.z[0] != 0.0, b.z[1] != 0.0)
        if b.y[0] != NULL:
            b.y[0][0] = load.voltage
        if b.y[1] != NULL:
            b.y[1][0] = load.current
        if b.y[2] != NULL:
            b.y[2][0] = load.voltage * load.current
    if b.y[4] != NULL:
        b.y[4][0] = b.z[0]


cdef inline void battery_derivatives(const View* b, double t) noexcept nogil:
    """ds/dt = -i / Q, times the charge efficiency where it charges."""
    cdef double current = battery_load(b, b.z[0] != 0.0, b.z[1] != 0.0).current
    if current < 0.0:
        current *= b.p[BATTERY_CHARGE_EFFICIENCY][0]
    b.dx[0] = -current / b.p[BATTERY_CAPACITY][0]


cdef inline void battery_update(const View* b, double t) noexcept nogil:
    """Cut off or back again; full or not."""
    b.z[0] = 1.0 if battery_cut_off(b) else 0.0
    b.z[1] = 1.0 if battery_full(b) else 0.0


cdef inline void battery_crossings(const View* b, double t) noexcept nogil:
    """One for each mode: it is to change."""
    cdef double distance
    if b.z[0] == 0.0:
        distance = fmin(
            b.x[0] - b.p[BATTERY_CUT_OFF_CHARGE][0],
            battery_load(b, False, False).voltage - b.p[BATTERY_CUT_OFF_VOLTAGE][0],
        )
    else:
        distance = b.x[0] - b.p[BATTERY_RESTART_CHARGE][0]
    b.g[0] = side(battery_cut_off(b) != (b.z[0] != 0.0), distance)
    distance = b.x[0] - 1.0 if b.z[1] == 0.0 else battery_wanted(b)
    b.g[1] = side(battery_full(b) != (b.z[1] != 0.0), distance)
