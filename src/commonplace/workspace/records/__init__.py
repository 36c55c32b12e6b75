"""Notebooks of agents, and snapshots of records from elsewhere: knowledge written into a scope."""
