"""Find the moments of a text, without its secrets, that come near the threshold.

In two steps, because sentences are embedded between them: `draft` is pure but slow on a long text,
and then runs in a child process (`offloading.py`); `decide` is given the vectors.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from commonplace.analysis.confidence import (
    DEFAULT_THRESHOLDS,
    PRESETS,
    ConfidenceThresholds,
    Weights,
)
from commonplace.analysis.learning import MovedThreshold
from commonplace.analysis.likelihood import NOTHING, Likelihood, TextForm
from commonplace.analysis.sentiment import Sentiment, analyse_sentiment
from commonplace.capture.about import project_called, subject_of
from commonplace.capture.blocks import has_turns
from commonplace.capture.comments import uncommented
from commonplace.capture.likeness import Fingerprint, fingerprint, is_duplicate, same_text
from commonplace.capture.moments import (
    Draft,
    Moment,
    MomentAction,
    Vector,
    drafts,
    moments,
    verdict_of,
)
from commonplace.capture.secrets import Secret, mask_secrets
from commonplace.model.call import PLAIN_CALL

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DEFAULT_PRESET = "conservative"
DEFAULT_THRESHOLD = PRESETS[DEFAULT_PRESET].high
# Two wordings of the same moment are at least this similar; different moments are well below.
_SAME = 0.93
# Two that have the same numbers, and several of them.
_SAME_WITH_NUMBERS, _SEVERAL = 0.88, 3
# A longer text is no commit message, whatever its first line looks like.
_LONGEST_MESSAGE = 2_000


@dataclass(frozen=True, slots=True)
class Sought:
    """How moments are scored, and the threshold from which they are kept or shown."""

    weights: Weights
    thresholds: ConfidenceThresholds
    threshold: float
    auto_save: bool
    project: str | None = None
    """The project of moments that do not name one."""
    form: TextForm = TextForm.TALK


@dataclass(frozen=True, slots=True)
class CaptureRequest:
    """A text, and what to do with its moments; without a threshold the preset's is used."""

    text: str
    threshold: float | None
    auto_save: bool
    preset: str | None
    max_captures: int
    project: str | None = None
    form: TextForm = TextForm.TALK

    @classmethod
    def proposing(
        cls, text: str, most: int, project: str | None = None, *, commit: bool = False
    ) -> CaptureRequest:
        """A request that puts at most so many moments of a file or commit up for review."""
        written = TextForm.TALK if has_turns(text) else TextForm.DOCUMENT
        return cls(
            text,
            threshold=None,
            auto_save=False,
            preset=None,
            max_captures=most,
            project=project,
            form=TextForm.COMMIT if commit else written,
        )

    @property
    def thresholds(self) -> ConfidenceThresholds:
        return PRESETS[self.preset or DEFAULT_PRESET]

    def sought(self, weights: Weights, moved: MovedThreshold | None) -> Sought:
        start = self.thresholds.high if moved is None else moved.now
        threshold = start if self.threshold is None else self.threshold
        return Sought(weights, self.thresholds, threshold, self.auto_save, self.project, self.form)


@dataclass(frozen=True, slots=True)
class FoundMoment:
    """A moment to decide on, and how it is recognised; one that `repeats` is in the text before.

    `words` is equal for texts with the same words.
    """

    moment: Moment
    verdict: MomentAction
    looks: Fingerprint
    words: str
    repeats: bool


@dataclass(frozen=True, slots=True)
class FoundInText:
    """The `best` of all `processed` moments supplies the text's type, project and file."""

    processed: int
    best: Moment
    candidates: tuple[FoundMoment, ...]
    secrets: tuple[Secret, ...]


@dataclass(frozen=True, slots=True)
class Drafted:
    """A text without its secrets, cut into sections that may hold moments."""

    drafts: tuple[Draft, ...]
    secrets: tuple[Secret, ...]
    subject: str | None
    """The first line of a text like a commit message."""

    def spoken(self) -> list[str]:
        """The sentences to embed, in order."""
        return [sentence for one in self.drafts for sentence in one.spoken()]


def draft(text: str, weights: Weights, check: Callable[[], None] = PLAIN_CALL.check) -> Drafted:
    """Read a text that has at least one visible character.

    `check` is called now and then; it may raise to end the work.
    """
    masked = mask_secrets(text, check)
    plainly = uncommented(masked.text)
    subject = subject_of(plainly) if len(plainly) <= _LONGEST_MESSAGE else None
    return Drafted(drafts(plainly, weights, check), masked.found, subject)


def decide(
    drafted: Drafted,
    vectors: Sequence[Vector],
    sought: Sought,
    check: Callable[[], None] = PLAIN_CALL.check,
) -> FoundInText:
    """Decide what becomes of each moment of a text; `vectors` are those of all its sentences."""
    found = [
        _placed(one, sought) for one in _moments(drafted, vectors, sought.thresholds, sought.form)
    ]
    if drafted.subject and sought.form is not TextForm.TALK:
        found = _titled(found, drafted.subject, sought)
    directions = _directions(found)
    candidates: list[FoundMoment] = []
    news: dict[int, Fingerprint] = {}
    for place, moment in enumerate(found):
        verdict = _verdict(moment, sought)
        if verdict is MomentAction.IGNORE:
            continue
        check()
        looks = fingerprint(moment.text)
        nearness = (directions[:place] @ directions[place]).tolist()
        repeats = _repeats(looks, nearness, news)
        if not repeats:
            news[place] = looks
        candidates.append(FoundMoment(moment, verdict, looks, same_text(moment.text), repeats))
    best = max(found, key=lambda moment: moment.score)
    return FoundInText(len(found), best, tuple(candidates), drafted.secrets)


def _titled(found: list[Moment], subject: str, sought: Sought) -> list[Moment]:
    """The moments of a message, the likeliest with its subject as title unless another is shown
    with it."""
    named = [one for one in found if one.summary == subject]
    if any(_verdict(one, sought) is not MomentAction.IGNORE for one in named):
        return found
    best = max(found, key=lambda one: one.score)
    return [replace(one, summary=subject) if one is best else one for one in found]


def _verdict(moment: Moment, sought: Sought) -> MomentAction:
    return verdict_of(moment.score, threshold=sought.threshold, auto_save=sought.auto_save)


def _placed(moment: Moment, sought: Sought) -> Moment:
    """The moment in the given project, unless it names another: "in X" is only a guess."""
    if sought.project is None or project_called(moment.text):
        return moment
    return replace(moment, project=sought.project)


def likeliest(drafted: Drafted, vectors: Sequence[Vector]) -> Likelihood:
    """The probability of the best moment of a text, and its type."""
    found = _moments(drafted, vectors, DEFAULT_THRESHOLDS, TextForm.TALK)
    best = max(found, key=lambda one: one.score, default=None)
    return Likelihood(best.score, best.type) if best else NOTHING


def _moments(
    drafted: Drafted,
    vectors: Sequence[Vector],
    thresholds: ConfidenceThresholds,
    form: TextForm,
) -> list[Moment]:
    found: list[Moment] = []
    at = 0
    for one in drafted.drafts:
        end = at + len(one.sentences)
        found += moments(one, vectors[at:end], thresholds, form)
        at = end
    return found


def _repeats(
    looks: Fingerprint, nearness: Sequence[float], known: Mapping[int, Fingerprint]
) -> bool:
    """Whether a moment says what a known one of the same text says, in the same or other words."""
    least = _SAME if len(looks.facts) < _SEVERAL else _SAME_WITH_NUMBERS
    return any(
        is_duplicate(looks, other) or (nearness[place] >= least and looks.facts <= other.facts)
        for place, other in known.items()
    )


def _directions(found: Sequence[Moment]) -> NDArray[np.float64]:
    """The centre of each moment with length one: products of two are cosines."""
    import numpy as np

    width = max(len(one.centre) for one in found)
    centres = np.array([one.centre or [0.0] * width for one in found])
    lengths = np.linalg.norm(centres, axis=1, keepdims=True)
    return centres / np.where(lengths, lengths, 1.0)


def tone(text: str, *, detect_shifts: bool, min_delta: float) -> Sentiment:
    """The tone of each sentence; sentences are shown, so secrets are masked first."""
    masked = mask_secrets(text).text
    return analyse_sentiment(masked, detect_shifts=detect_shifts, min_delta=min_delta)
