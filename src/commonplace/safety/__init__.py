"""Detects text that tries to deceive the agents that read it."""
