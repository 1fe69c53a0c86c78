"""What editors and type checkers are helped with: typed constructors of blocks, and a schema of YAML files."""
