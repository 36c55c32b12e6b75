"""Domain types: frozen values without I/O."""
