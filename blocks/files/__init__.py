"""Files: how they are written whole or not at all, arrays under a checksum, tables in text."""
