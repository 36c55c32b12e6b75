"""The programs that start Commonplace: which files configure them, and how those are changed."""
