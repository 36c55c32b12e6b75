"""The `connector` dialect: `search` and `fetch` for ChatGPT connectors and deep research."""
