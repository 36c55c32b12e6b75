"""What a search finds first, as files: a change of ranking is a diff that somebody reads.

`pytest tests/golden --update-rankings` writes them anew; both stores must agree with each.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from commonplace.embedding.bundled import BundledEmbedder
from commonplace.model.query import RetrievalMode
from commonplace.storage.port import Store
from tests.features.house import House, id_of
from tests.stores import SteppingClock

FOLDER = Path(__file__).parent
CORPUS = tomllib.loads((FOLDER / "corpus.toml").read_text(encoding="utf-8"))
MODES = (RetrievalMode.AUTO, RetrievalMode.LEXICAL, RetrievalMode.SEMANTIC)
SHOWN = 3


@pytest.fixture
def library(store: Store, clock: SteppingClock) -> House:
    house = House(store, BundledEmbedder(), clock)
    for id, body in CORPUS["notes"].items():
        house.add(id, title=id.replace("-", " "), body=body)
    house.embed()
    return house


def ranking(library: House, question: str) -> str:
    """The first hits by each mode; scores are left out, since processors round differently."""
    lines = [f"? {question}"]
    for mode in MODES:
        hits = library.search(question, mode=mode, limit=SHOWN).hits
        lines += ["", mode.value, *(f"{n} {id_of(hit)}" for n, hit in enumerate(hits, start=1))]
    return "\n".join(lines) + "\n"


@pytest.mark.usefixtures("one_bundled_model")
def test_rankings_are_as_they_were_read(library: House, pytestconfig: pytest.Config) -> None:
    found = {name: ranking(library, text) for name, text in CORPUS["questions"].items()}
    if pytestconfig.getoption("--update-rankings"):
        for name, text in found.items():
            (FOLDER / "rankings" / f"{name}.txt").write_text(text, encoding="utf-8")
    read = {file.stem: file.read_text("utf-8") for file in (FOLDER / "rankings").glob("*.txt")}
    assert found == read
