"""Questions about symbols, and their answers from the stored graph."""
