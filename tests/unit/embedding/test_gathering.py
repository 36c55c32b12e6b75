"""What a student is taught on has nothing of what it is judged by."""

from __future__ import annotations

import json
import random
import subprocess
from pathlib import Path
from typing import Any

from tools.model.gather import documents, modules_of, passages, texts_of

JUDGED = "Mice that lack the receptor gained much less weight on a diet that is rich in fat."
OTHER = "The release is built by the pipeline on every push to the main branch of the project."
LICENCE = "You may not use this file except in compliance with the terms of the licence below."


def test_what_shares_a_passage_with_a_judged_text_is_not_taken(tmp_path: Path) -> None:
    source = _repository(tmp_path, {"a.md": f"Found: {JUDGED.upper()}", "b.md": OTHER})
    assert _taken(tmp_path, source, [JUDGED]) == [OTHER]


def test_a_licence_that_many_judged_texts_begin_with_bars_nothing(tmp_path: Path) -> None:
    judged = [f"{LICENCE} {number}" for number in range(4)]
    source = _repository(tmp_path, {"a.md": f"{LICENCE}\n{OTHER}"})
    assert _taken(tmp_path, source, judged) == [f"{LICENCE}\n{OTHER}"]


def test_no_more_is_taken_than_the_recipe_allows(tmp_path: Path) -> None:
    words = random.Random(1).sample(range(10**6), 9000)
    files = {f"{n}.md": " ".join(map(str, words[n * 1000 : n * 1000 + 1000])) for n in range(9)}
    source = _repository(tmp_path, files) | {"megabytes": 0.02}
    assert len(_taken(tmp_path, source, [])) == 3


def test_a_dialogue_is_what_is_said_turn_by_turn(tmp_path: Path) -> None:
    turns = [{"speaker": "a", "utterance": JUDGED}, {"speaker": "b", "utterance": OTHER}]
    dialogue = json.dumps([{"id": "1", "turns": turns}])
    source = _repository(tmp_path, {"talk.json": dialogue}) | {
        "form": "dialogues",
        "endings": [".json"],
    }
    assert _taken(tmp_path, source, []) == [f"{JUDGED}\n{OTHER}"]


def test_a_message_of_a_commit_is_taken_without_its_trailers(tmp_path: Path) -> None:
    source = _repository(tmp_path, {"a.md": OTHER}, f"{OTHER}\n\nSigned-off-by: A <a@example.org>")
    assert _taken(tmp_path, source | {"form": "commits"}, []) == [OTHER]


def _taken(folder: Path, source: dict[str, Any], judged: list[str]) -> list[str]:
    rows = "".join(json.dumps({"id": str(n), "text": text}) + "\n" for n, text in enumerate(judged))
    (folder / "sets" / "any").mkdir(parents=True)
    (folder / "sets" / "any" / "documents.jsonl").write_text(rows, encoding="utf-8")
    return list(texts_of(folder, source, passages(documents(folder / "sets"))))


def _repository(folder: Path, files: dict[str, str], message: str = "First") -> dict[str, Any]:
    home = folder / "owner+name"
    home.mkdir()
    for name, text in files.items():
        (home / name).write_text(text, encoding="utf-8")
    git = ["git", "-C", str(home), "-c", "user.name=A", "-c", "user.email=a@example.org"]
    for command in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", message]):
        subprocess.run([*git, *command], check=True)
    done = subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True)
    return {
        "repository": "owner/name",
        "commit": done.stdout.strip(),
        "form": "files",
        "under": "",
        "endings": [".md"],
        "megabytes": 1,
    }


def test_modules_of_a_package_are_held_against_the_judged_too(tmp_path: Path) -> None:
    (tmp_path / "any").mkdir()
    for name, text in (("a.py", f"# {JUDGED}"), ("b.py", f"# {OTHER}")):
        (tmp_path / "any" / name).write_text(text, encoding="utf-8")
    package = {"name": "any", "megabytes": 1}
    assert list(modules_of(tmp_path, package, passages([JUDGED]))) == [f"# {OTHER}"]
