"""What people ask that no agent does: chains, standing, neighbourhoods, files."""
