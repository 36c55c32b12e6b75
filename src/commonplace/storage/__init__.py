"""Persistence: one port, implemented for two databases."""
