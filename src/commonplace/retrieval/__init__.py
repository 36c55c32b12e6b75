"""One search, stage by stage: terms, candidates, scores, fusion, roll-up, snippets."""
