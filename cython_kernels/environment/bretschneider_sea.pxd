"""Kernel of the Bretschneider sea."""

from cython_kernels.environment.jonswap_sea cimport sea_after_jonswap
from cython_kernels.environment.sea cimport sea_components
from cython_kernels.mathematics.elementary.power cimport pow
from cython_kernels.mathematics.frames cimport KB_PI
from cython_kernels.views.environment.bretschneider_sea cimport (
    BRETSCHNEIDER_SEA_PERIOD_KIND_MEAN, BRETSCHNEIDER_SEA_PERIOD_KIND_ZERO_CROSSING, BretschneiderSeaView,
    bretschneider_sea_as_peaked_sea,
)
from cython_kernels.views.environment.sea cimport IrregularSeaView, PeakedSeaView


cdef inline void bretschneider_sea_setup(const BretschneiderSeaView* b, double t) noexcept nogil:
    """By the moments of its spectrum T_1 = T_p (4/5)^(1/4)/Gamma(3/4) and T_z = T_p (4/5)^(1/4)/pi^(1/4)."""
    cdef PeakedSeaView sea = bretschneider_sea_as_peaked_sea(b)
    cdef double period = b.p.period[0]
    if b.p.period_kind[0] == BRETSCHNEIDER_SEA_PERIOD_KIND_MEAN:
        period *= 1.2254167024651776 / pow(0.8, 0.25)
    elif b.p.period_kind[0] == BRETSCHNEIDER_SEA_PERIOD_KIND_ZERO_CROSSING:
        period *= pow(KB_PI / 0.8, 0.25)
    b.w.peak_period[0] = period
    sea_after_jonswap(&sea, b.p.significant_height[0], period, 1.0)


cdef inline void bretschneider_sea_outputs(const IrregularSeaView* b, double t) noexcept nogil:
    """As at all times."""
    sea_components(b)
