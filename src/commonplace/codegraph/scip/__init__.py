"""SCIP, the open format of code indexes: import of compilers' indexes, export of our graph."""
