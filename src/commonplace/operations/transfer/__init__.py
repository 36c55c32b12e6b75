"""Export and import: everything as JSONL, entries as Markdown, files of other servers."""
