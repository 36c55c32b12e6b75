"""Sources of knowledge: documents that are read, cut into chunks and kept up to date."""
