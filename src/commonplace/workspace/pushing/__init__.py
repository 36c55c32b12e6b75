"""Folders that are sent to a server instead of being read by it."""
