"""Turns text into vectors: one port, a bundled model, and any OpenAI-compatible endpoint."""
