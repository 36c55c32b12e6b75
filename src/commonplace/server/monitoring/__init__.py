"""What is told to who watches a server: health, metrics, traces."""
