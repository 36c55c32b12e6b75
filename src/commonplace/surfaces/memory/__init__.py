"""The dialect of our own: few tools over everything that is kept."""
