"""The stages of a search that touch ports; the pure stages are in the parent package."""
