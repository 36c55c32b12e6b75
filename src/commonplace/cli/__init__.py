"""The command line: what a person does without an agent, and how servers are started."""
