"""What the encoder is trained further on: what commits and comments of a project ask."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np

from tools.model.container import difference
from tools.model.gather import Repository
from tools.model.projects import Asked, project

GO = """// Waits longer after each failure, but never longer than a minute.
func pauseAfter(failures int) time.Duration {
    if failures > 6 {
        return time.Minute
    }
    return time.Second << failures
}
"""
PYTHON = '''def spelled(name, table):
    """Find the name that is spelled most alike in the table."""
    best = None
    for other in table:
        best = nearer(name, best, other)
    return best


class Folder:
    """Holds what was read from one folder of the project."""

    def __init__(self, path):
        self.path = path
        self.entries = []
'''
PAGE = "Waiting grows with every failure, up to a minute; after that it does not grow. " * 4


def test_a_commit_asks_for_the_files_that_it_changed(tmp_path: Path) -> None:
    asked, _ = _asked(_repository(tmp_path))
    ((question, (answer,)),) = asked.questions
    assert question == "Describe how long a client waits between attempts"
    assert asked.documents[answer][0].startswith("docs/waiting.md\n\nWaiting grows")


def test_a_comment_asks_for_the_code_below_it(tmp_path: Path) -> None:
    _, asked = _asked(_repository(tmp_path))
    answers = {question: asked.documents[at][0] for question, (at,) in asked.questions}
    waiting = answers["Waits longer after each failure, but never longer than a minute."]
    assert waiting.startswith("retry/pause.go\n\nfunc pauseAfter")
    assert "failures > 6" in waiting
    assert "Waits longer" not in waiting
    spelled = answers["Find the name that is spelled most alike in the table."]
    assert "nearer(name, best, other)" in spelled


def test_what_was_copied_is_neither_asked_nor_an_answer(tmp_path: Path) -> None:
    repository = _repository(tmp_path)
    changes, comments = project(repository, lambda text: "minute" in text)
    assert changes.questions == []
    assert all("minute" not in part for parts in changes.documents for part in parts)
    assert all("minute" not in question for question, _ in comments.questions)


def test_a_difference_is_kept_to_a_thirtieth_of_its_largest_value() -> None:
    before = {"w": np.ones((2, 3), np.float32), "b": np.zeros(3, np.float32)}
    after = {"w": before["w"] + np.array([[0.3, -0.1, 0], [0, 0, 0]]), "b": np.ones(3)}
    kept = difference(before, after)
    learned = kept["w"] * kept["w.scale"].astype(np.float32)[:, None]
    assert np.abs(learned - (after["w"] - before["w"])).max() <= 0.3 / 30 + 1e-4
    assert np.array_equal(kept["b"], np.ones(3, np.float16))


def _asked(repository: Repository) -> tuple[Asked, Asked]:
    return project(repository, lambda _: False)


def _repository(folder: Path) -> Repository:
    home = folder / "owner+name"
    files = {"retry/pause.go": GO, "names/spelling.py": PYTHON, "docs/waiting.md": PAGE}
    git = ["git", "-C", str(home), "-c", "user.name=A", "-c", "user.email=a@example.org"]
    for path in files:
        (home / path).parent.mkdir(parents=True)
    messages = ("Begin", "Release it", "Describe how long a client waits between attempts (#12)")
    subprocess.run([*git, "init", "-q"], check=True)
    for (path, text), message in zip(files.items(), messages, strict=True):
        (home / path).write_text(text, encoding="utf-8")
        subprocess.run([*git, "add", "."], check=True)
        subprocess.run([*git, "commit", "-q", "-m", message], check=True)
    done = subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True)
    return Repository(folder, {"repository": "owner/name", "commit": done.stdout.strip()})
