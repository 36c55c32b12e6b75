"""Whether a text tries to deceive the agents that read it."""
