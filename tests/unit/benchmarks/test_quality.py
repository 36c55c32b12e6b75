"""How search quality is reported: each set against its better leg, files by their best piece."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.quality.datasets import DATA_VARIABLE, Dataset, owner_of, prepared
from benchmarks.quality.run import Measured, _table


def measured(name: str, **scores: float) -> Measured:
    dataset = Dataset(name, {"d": "text"}, {"q": "query"}, {"q": {"d": 1}})
    return Measured(dataset, {"equal RRF": 0.0, **scores}, [])


def test_fused_stands_beside_the_better_leg() -> None:
    sets = [
        measured("talk", lexical=0.5, semantic=0.3, fused=0.45),
        measured("code", lexical=0.3, semantic=0.5, fused=0.65),
    ]
    table = _table("sqlite", sets)
    gains = {row[0]: row[-1] for row in table.rows}
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
