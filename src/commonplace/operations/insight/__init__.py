"""What people ask that no agent does: chains, verdicts, neighbourhoods, files."""
