"""Changing the embedding model: computes the new vectors next to the old ones, then switches."""
