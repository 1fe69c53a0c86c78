"""Binary files of others: NetCDF, HDF5, MCAP. A damaged one can hang or crash the library that reads it.

They are opened in a child process with limits, which hands back plain arrays. NetCDF that Keelblocks wrote and that is
as it was written is opened here.
"""
