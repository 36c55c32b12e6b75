"""One memory over everything that is kept: named by references, opened, written, put right."""
