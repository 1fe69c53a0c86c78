"""The C of FMUs by every compiler there is: compiled, run, and compared with the binaries of Keelblocks bit by bit."""
