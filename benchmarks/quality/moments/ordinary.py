"""Text without moments: reference pages, generated logs, chatter."""

from __future__ import annotations

import random
from pathlib import Path

from benchmarks.quality.moments.labelled import HELD, texts
from commonplace.analysis.likelihood import TextForm

_ROOT = Path(__file__).parents[3]
_CHATTER = frozenset({"talk", "status", "plan", "question", "nit"})
_SAID = (
    "connection to {host} reset by peer, retrying in {n}s",
    "job {n} finished in {n} ms",
    "could not parse row {n}: unexpected end of line",
    "cache miss for key user:{n}",
    "slow query ({n} ms): SELECT * FROM orders WHERE id = {n}",
    "failed to acquire lock after {n} attempts because another worker holds it",
)
_FORMS = (
    "2024-05-{day:02} 10:{n:02}:11 {level} worker-{n}: {said}",
    "[{level}] {said}",
    "{level}: {said}",
    "May {day} 10:{n:02}:11 host app[{n}]: {said}",
)


def ordinary() -> dict[str, tuple[TextForm, list[str]]]:
    """By name: the form that `commonplace capture` would know, and the passages."""
    pages = sorted((_ROOT / "docs/reference").glob("*.md"))
    chatter = [one.text for one in texts() if one.half == HELD and one.kind in _CHATTER]
    return {
        "reference pages of this repository": (
            TextForm.DOCUMENT,
            [page.read_text(encoding="utf-8") for page in pages],
        ),
        "logs, made up": (
            TextForm.DOCUMENT,
            [_log(random.Random(number)) for number in range(10)],
        ),
        "chatter, held back": (TextForm.TALK, chatter),
    }


def _log(chance: random.Random, lines: int = 100) -> str:
    form = chance.choice(_FORMS)
    return "\n".join(
        form.format(
            day=chance.randint(1, 28),
            n=chance.randint(1, 59),
            level=chance.choice(("INFO", "WARN", "ERROR", "DEBUG")),
            said=chance.choice(_SAID).format(
                host=f"db-{chance.randint(1, 9)}", n=chance.randint(1, 900)
            ),
        )
        for _ in range(lines)
    )
