"""Folders that a client sends instead of the server reading them."""
