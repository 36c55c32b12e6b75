"""Commonplace: one knowledge server for teams of AI agents and the people beside them."""

__version__ = "0.1.0"
