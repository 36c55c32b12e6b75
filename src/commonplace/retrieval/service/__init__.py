"""The stages of a search that touch ports; the pure ones stand beside this folder."""
