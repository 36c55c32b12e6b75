"""Health checks, metrics and traces."""
