"""Views for people rather than agents: supersession chains, verdicts, neighbourhoods, files."""
