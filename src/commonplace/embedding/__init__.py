"""Text to vectors: one port, a bundled model, any OpenAI-compatible endpoint."""
