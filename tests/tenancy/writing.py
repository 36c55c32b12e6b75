"""Texts, references and places as generated steps use them: few words, so that strangers coincide.

Decides what is common to all generators; what each tool is called with is in `generators.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from tests.tenancy.steps import PLACES, PROJECTS, Agent, Reach, Ref, Shape, Step, Trace

VOCABULARY = (
    "harvest",
    "orchard",
    "lantern",
    "granite",
    "meadow",
    "copper",
    "timber",
    "anchor",
    "pepper",
    "violet",
    "compass",
    "barrel",
    "thunder",
    "ribbon",
    "saddle",
    "quartz",
)
TAGS = ("shared-tag", "rare-tag")
# Chosen by callers of every org, so that orgs collide where ids were not their own.
CHOSEN_ITEM_IDS = ("ki-chosen-1", "ki-chosen-2", "ki-chosen-3")
TOKEN = "clientToken"
TOKENS = tuple(f"00000000-0000-4000-8000-00000000000{n}" for n in range(4))


class Scene:
    """What has happened so far, and the dice for what happens next."""

    def __init__(self, random: Random, agent: Agent, number: int, past: Sequence[Step]) -> None:
        self.random = random
        self.agent = agent
        self.number = number
        self._past = past
        self.trace: Trace | None = None

    @property
    def seal(self) -> str:
        return f"zs{self.number:06d}"

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def words(self, count: int = 6) -> str:
        return " ".join(self.random.choices(VOCABULARY, k=count))

    def text(self) -> str:
        """With a word to ask for, and one that nobody asks for."""
        return f"{self.words()} zh{self.number:06d} {self.words(3)} {self.seal}"

    def name(self) -> str:
        return f"{self.words(2)} {self.seal}"

    def query(self) -> str:
        """Words that everybody uses, or the one that only one text has, be it readable or not."""
        if self._past and self.chance(0.4):
            return f"zh{self.random.choice(self._past).number:06d}"
        return self.words(self.random.randint(1, 3))

    def tags(self) -> list[str]:
        return [tag for tag in TAGS if self.chance(0.3)]

    def project(self) -> str:
        return self.random.choice(PROJECTS)

    def place(self) -> tuple[str, str | None]:
        return self.random.choice(PLACES)

    def reach(self) -> Reach:
        return self.random.choice(tuple(Reach))

    def ref(self, *shapes: Shape) -> Ref | str:
        """Something that exists, whoever it belongs to; sometimes what never existed."""
        known = [s for s in self._past if s.trace and s.trace.shape in shapes]
        # A repetition has the id of another step.
        known = [step for step in known if TOKEN not in step.arguments]
        if not known or self.chance(0.1):
            return Ref(900_000 + self.number, shapes[0]).made_up
        step = self.random.choice(known[-12:])
        assert step.trace is not None
        return step.trace.id or Ref(step.number, step.trace.shape)

    def leaves(
        self,
        shape: Shape,
        reach: Reach,
        *,
        id: str | None = None,
        place: tuple[str | None, str | None] = (None, None),
        project: str | None = None,
    ) -> None:
        """Say what this step leaves behind."""
        self.trace = Trace(shape, reach, self.seal, id, *place, project=project)
