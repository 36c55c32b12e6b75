"""What a host starts that does not use the command of the manifest."""

from commonplace.cli.main import main

main(["mcp"])
