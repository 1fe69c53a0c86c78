"""Kernels of the instruments."""

from cython_kernels.compass cimport compass_outputs, compass_start, compass_update
from cython_kernels.depth_gauge cimport depth_gauge_outputs, depth_gauge_start, depth_gauge_update
from cython_kernels.doppler_log cimport doppler_log_outputs, doppler_log_start, doppler_log_update
from cython_kernels.gnss cimport gnss_outputs, gnss_setup, gnss_start, gnss_update
from cython_kernels.imu cimport imu_outputs, imu_setup, imu_start, imu_update
