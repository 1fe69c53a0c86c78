"""The text of files in YAML: one guarded reader for every kind of file, and a writer of what it reads."""
