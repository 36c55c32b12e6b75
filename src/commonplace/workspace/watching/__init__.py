"""Keeping attached folders fresh while a server runs."""
