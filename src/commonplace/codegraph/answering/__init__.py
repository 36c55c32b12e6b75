"""Questions about symbols, answered from what is kept."""
