"""Sources of documents: their life cycle, and reading them in the background."""
