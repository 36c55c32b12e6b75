"""Read texts as the product does: sentences, their vectors, and the moments cut from them."""

from __future__ import annotations

from commonplace.analysis.confidence import DEFAULT_WEIGHTS, PRESETS
from commonplace.analysis.likelihood import Likelihood, TextForm, head
from commonplace.capture.carrying import sentences_in
from commonplace.capture.finding import FoundInText, Sought, decide, draft
from commonplace.capture.moments import LONGEST_SENTENCE
from commonplace.embedding.port import Embedder


class Reader:
    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    def likelihood(self, text: str, form: TextForm) -> Likelihood:
        said = sentences_in(text)
        spoken = [text[one.start : one.end][:LONGEST_SENTENCE] for one in said]
        vectors = self._vectors(spoken)
        known = head(form)
        return known.likelihood(
            text,
            [known.reading(one.signs, each) for one, each in zip(said, vectors, strict=True)],
        )

    def found(self, text: str, threshold: float, form: TextForm = TextForm.TALK) -> FoundInText:
        """What would be saved with that threshold."""
        drafted = draft(text, DEFAULT_WEIGHTS)
        sought = Sought(
            DEFAULT_WEIGHTS, PRESETS["conservative"], threshold, auto_save=True, form=form
        )
        return decide(drafted, self._vectors(drafted.spoken()), sought)

    def sentences(self, text: str) -> int:
        return len(draft(text, DEFAULT_WEIGHTS).spoken())

    def _vectors(self, sentences: list[str]) -> list[list[float]]:
        return [windows[0].tolist() for windows in self._embedder.embed_passages(sentences)]
