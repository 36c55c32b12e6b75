"""The entry point for hosts that ignore the command in the manifest."""

from commonplace.cli.main import main

main(["mcp"])
