"""Ingest runs: which resources, now or in the background, and what came of each."""
