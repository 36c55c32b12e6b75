"""Further questions to a filled home, of neither half: probabilities are fitted on them, too.

They are of the same families as a plan's, but for commits, which are asked for the files that they
changed; of a family some are taken, in an order that nobody chose.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path

from benchmarks.recall.plan import PROJECTS, TOLD, Asked, Inputs, Plan, Sort, chosen_asked, families
from benchmarks.recall.texts import LONGEST_TITLE, talks

_MOST = 40
_FOREIGN = 150
_OLDEST = 3_000
_MOST_FILES = 3
_SHORTEST = 28
_NUMBER = re.compile(r"\s*\(#\d+\)")
_SOURCE = re.compile(r".*\.(?:py|ts|js|java)")
_SAYS_NOTHING = re.compile(r"(?:bump|release|merge|revert|update)", re.IGNORECASE)


def further(plan: Plan, inputs: Inputs, checkouts: Path) -> list[Asked]:
    """Up to forty of a family that are answered, and some that are foreign."""
    known = {one.text for one in plan.asked}
    told, untold = talks(inputs.talks)[:TOLD], talks(inputs.talks)[TOLD:]
    spoken = (
        Asked(text, Sort.ANSWERABLE, "talk", right)
        for talk in told
        for text, right in talk.questions
    )
    foreign = (Asked(text, Sort.FOREIGN, "talk") for talk in untold for text, _ in talk.questions)
    changed = _changed(plan, inputs, checkouts)
    groups: list[Iterable[Asked]] = [*_written(plan, inputs), spoken, changed]
    new = [chosen_asked([one for one in some if one.text not in known], _MOST) for some in groups]
    return [
        *chain.from_iterable(new),
        *chosen_asked([one for one in foreign if one.text not in known], _FOREIGN),
    ]


def _written(plan: Plan, inputs: Inputs) -> Iterator[Sequence[Asked]]:
    """Questions of texts that were written as answers, where the text is here."""
    here = {one.id for one in (*plan.stored, *plan.documents)}
    for name, (things, _, _) in families(inputs).items():
        yield [
            Asked(one.asked, Sort.ANSWERABLE, name, frozenset({one.id, f"{one.id}-again"}))
            for one in things
            if one.asked and one.id in here
        ]


def _changed(plan: Plan, inputs: Inputs, checkouts: Path) -> Iterator[Asked]:
    """Subjects of commits to the projects, answered by the files that they changed.

    A commit that lies in the home as an item answers better than the files do.
    """
    kept = {text for one in plan.stored for text in (one.title, one.asked)}
    for name, repository in PROJECTS.items():
        most = f"-n{_OLDEST}"
        log = inputs.mirrors.git(
            repository, "log", "--no-merges", "--format=%x01%s", "--name-only", most
        )
        for record in log.split("\x01"):
            subject, _, paths = record.strip().partition("\n")
            if subject[:LONGEST_TITLE] in kept:
                continue
            text = _NUMBER.sub("", subject)
            sources = [path for path in paths.split() if _SOURCE.fullmatch(path)]
            files = [path for path in sources if (checkouts / name / path).exists()]
            telling = len(text) > _SHORTEST and not _SAYS_NOTHING.match(text)
            if telling and 0 < sum("test" not in path.lower() for path in files) <= _MOST_FILES:
                right = frozenset(f"{name}:{path}" for path in files)
                yield Asked(text, Sort.ANSWERABLE, "histories", right)
