"""The common checks that every block has to pass: those of Keelblocks, and those of libraries of others."""
