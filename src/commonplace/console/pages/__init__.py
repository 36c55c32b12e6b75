"""A module for each part of the console: its addresses, and what its pages show."""
