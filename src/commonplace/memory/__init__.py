"""One memory over all stored knowledge: opens, writes and corrects it by reference."""
