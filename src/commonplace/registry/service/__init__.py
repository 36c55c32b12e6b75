"""The registry: contributions and their search, and the verdicts on them."""
