"""The `commonplace` command with the fixture surface beside the product's own."""

from __future__ import annotations

from commonplace.cli.main import main
from commonplace.surfaces import catalog
from tests.transports.fixture_surface import FIXTURES

if __name__ == "__main__":
    fixtures = catalog.OfferedSurface("fixtures", "Only for tests.", lambda: FIXTURES)
    catalog.DEFAULT_SURFACES = (*catalog.DEFAULT_SURFACES, fixtures)
    main()
