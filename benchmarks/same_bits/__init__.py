"""Whether a plan gives the same numbers, to the last bit, by other compilers, C libraries, systems and processors."""
