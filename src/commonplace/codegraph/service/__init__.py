"""The code graph with its store: update, linking, questions, import and export."""
