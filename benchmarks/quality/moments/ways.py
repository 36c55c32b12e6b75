"""The ways of judging a text that are compared: the product, and what it must be better than."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from benchmarks.quality.moments.labelled import TUNE, Labelled
from benchmarks.quality.moments.reading import Reader
from commonplace.analysis.confidence import assess
from commonplace.analysis.cues import read_cues
from commonplace.analysis.detection import FALLBACK_TYPE, Detection, detect, detection_of
from commonplace.analysis.lexicon import Cues, cue_phrases, phrases, weighed
from commonplace.analysis.likelihood import TextForm
from commonplace.analysis.patterns import PatternMatch, find_patterns
from commonplace.analysis.sentiment import analyse_sentiment
from commonplace.analysis.spelling import plain

ALWAYS, PATTERNS, CUES, SEEN, UNTOLD, LEARNED = (
    "always yes, always `solution`",
    "patterns and tone, as documented",
    "patterns, tone and cues",
    "patterns, tone and cues, only phrases that tune shows",
    "learned probability, form of the text not told",
    "product: learned probability",
)
_LIKELY = 0.5


@dataclass(frozen=True, slots=True)
class Judgment:
    detected: bool
    type: str
    score: float


Judge = Callable[[Labelled], Judgment]


def ways(labelled: Sequence[Labelled], reader: Reader) -> dict[str, Judge]:
    seen = _seen(labelled)
    return {
        ALWAYS: lambda _: Judgment(detected=True, type=FALLBACK_TYPE, score=1.0),
        PATTERNS: lambda one: _judgment(one.text, _detection(one.text, find_patterns(one.text))),
        CUES: lambda one: _judgment(one.text, detect(one.text)),
        SEEN: lambda one: _judgment(
            one.text, _detection(one.text, find_patterns(one.text) or read_cues(one.text, seen))
        ),
        UNTOLD: lambda one: _learned(reader, one.text, TextForm.TALK),
        LEARNED: lambda one: _learned(reader, one.text, one.text_form),
    }


def _learned(reader: Reader, text: str, form: TextForm) -> Judgment:
    """The judgment of a text that is captured whole."""
    likely = reader.likelihood(text, form)
    return Judgment(likely.probability >= _LIKELY, likely.type, likely.probability)


def _detection(text: str, matches: tuple[PatternMatch, ...]) -> Detection:
    return detection_of(matches, analyse_sentiment(text))


def _judgment(text: str, detection: Detection) -> Judgment:
    score = assess(text, detection=detection).score
    return Judgment(detection.detected, detection.suggested_type, score)


def _seen(labelled: Sequence[Labelled]) -> Cues:
    """The cues without any phrase that the tune half does not show, so none owed to the other."""
    spelled = [plain(each.text) for each in labelled if each.half == TUNE]
    shown = {
        name: [phrase for phrase in alternatives if any(map(phrases([phrase]).search, spelled))]
        for name, alternatives in cue_phrases().items()
    }
    return weighed({name: alternatives for name, alternatives in shown.items() if alternatives})
