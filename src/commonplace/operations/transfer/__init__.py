"""Moving knowledge in and out: everything as JSONL, entries as Markdown, other servers' files."""
