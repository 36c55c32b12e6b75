"""Ingest runs: which resources to read, now or in the background, and the outcome of each."""
