"""The dialects that clients speak, each a thin adapter over the same services."""
