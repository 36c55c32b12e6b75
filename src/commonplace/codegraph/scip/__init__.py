"""The open format of code indexes: what compilers say in, what the graph knows out."""
