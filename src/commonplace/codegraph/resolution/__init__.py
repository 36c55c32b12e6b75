"""Facts of many files to links: which use means which definition."""
