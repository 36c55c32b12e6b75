"""Keeps attached folders up to date while a server runs."""
