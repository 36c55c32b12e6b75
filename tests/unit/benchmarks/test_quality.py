"""How search quality is reported: each set against its better leg, files by their best piece."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.quality import prepare
from benchmarks.quality.datasets import DATA_VARIABLE, FILES, Dataset, load, owner_of, prepared
from benchmarks.quality.pipeline import WAYS, ranking, stored
from benchmarks.quality.run import Measured, _table

JUDGED_LAMP = prepare.Judgment("q", "lamp.py", 1, "test")


def measured(name: str, previews: dict[str, float] | None = None, **scores: float) -> Measured:
    dataset = Dataset(name, {"d": "text"}, {"q": "query"}, {"q": {"d": 1}})
    return Measured(dataset, previews or {}, {"equal RRF": 0.0, **scores}, [])


def test_fused_stands_beside_the_better_leg() -> None:
    sets = [
        measured("talk", lexical=0.5, semantic=0.3, fused=0.45),
        measured("code", {"semantic": 0.4, "fused": 0.6}, lexical=0.3, semantic=0.5, fused=0.65),
    ]
    table = _table("sqlite", sets)
    column = table.columns.index("fused over the better leg")
    gains = {row[0]: row[column] for row in table.rows}
    assert [row[-2:] for row in table.rows] == [(None, None), (0.4, 0.6), (None, None)]
    assert gains == {"talk": "-10.0%", "code": "+30.0%", "mean": "+10.0%"}
    assert table.rows[0][:3] == ("talk", 1, 1)


def test_every_prepared_set_is_measured_and_those_of_people_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("click", "scifact", "locomo", "got", "vectors"):
        (tmp_path / name).mkdir()
        if name != "vectors":
            (tmp_path / name / "judgments.jsonl").touch()
    monkeypatch.setenv(DATA_VARIABLE, str(tmp_path))
    assert prepared() == ["scifact", "locomo", "click", "got"]


def test_a_piece_belongs_to_its_file() -> None:
    assert owner_of("src/poll.rs#3") == owner_of("src/poll.rs") == "src/poll.rs"


def test_code_is_stored_as_code_and_talk_as_entries(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(DATA_VARIABLE, str(tmp_path))
    code = {"lamp.py": "def light_lamp(oil):\n    return oil\n", "docs/keeper.md": "# The keeper\n"}
    prepare._write(tmp_path / "code", code, {"q": "light a lamp"}, [JUDGED_LAMP])
    prepare._write_files(tmp_path / "code" / FILES, code)
    talk = {"1": "I lit the lamp.", "lamp.py": "Oil\nfor the lamp"}
    prepare._write(tmp_path / "talk", talk, {"q": "light a lamp"}, [JUDGED_LAMP])
    lexical = next(way for way in WAYS if way.name == "lexical")
    for name, places in (("code", {"lamp.py"}), ("talk", {"1", "lamp.py"})):
        dataset = load(name)
        with stored(dataset, "sqlite") as library:
            library.preview()
            assert library.counts.pending == 0
            library.complete()
            assert library.counts.previewed == 0
            found = ranking(library.retrieval, dataset, "light a lamp", lexical)
            assert set(found) == places
