"""Usage: access counts, and quotas."""
