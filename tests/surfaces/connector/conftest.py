"""A home with content of every kind, called as ChatGPT calls it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.surfaces.clients import Caller, Premises
from tests.surfaces.conftest import OpenPremises
from tests.surfaces.memory.home import Home

SURFACES = "memory,notes,institutional,registry,workspace,connector"


@pytest.fixture
def premises(open_premises: OpenPremises) -> Premises:
    """The product with the bundled model, because relevance depends on meaning."""
    return open_premises(surfaces=SURFACES, roots="/")


@pytest.fixture
def home(premises: Premises, tmp_path: Path) -> Home:
    return Home(premises, tmp_path / "work")


@pytest.fixture
def asker(home: Home) -> Caller:
    """A caller on a home whose content is embedded."""
    home.note("Keeper of the lighthouse", "The lighthouse keeper refills paraffin at dusk.")
    home.item()
    home.skill()
    home.project(files={"src/cart.py": CART, "README.md": "# Shop\n\nRefunds take three days.\n"})
    home.page("Harbour manual", "# Foghorn\n\nSound the foghorn twice when mist comes.\n")
    home.premises.embed()
    return home.alice


CART = '''class Cart:
    """What a shopper wants to buy."""

    def add_item_to_basket(self, item: str) -> int:
        return len(item)
'''
