"""`search` and `fetch` as ChatGPT's connectors and deep research call them."""
