"""Agents' notebooks and record snapshots: entries that are written into a scope."""
