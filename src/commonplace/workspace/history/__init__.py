"""Commits of the repositories that attached folders lie in: which are kept, and as what."""
