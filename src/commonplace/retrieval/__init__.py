"""One search, stage by stage: terms, candidates, coverage, roll-up, relevance, fusion, snippets."""
