"""The trained weights: made for the bundled model, complete, and sound for any input."""

from __future__ import annotations

import pytest

from commonplace.analysis.likelihood import (
    TYPES,
    Likelihood,
    SentenceReading,
    TextForm,
    head,
    shape_of,
    signs_of,
    tells_trouble,
    together,
    trained_on,
)
from commonplace.embedding.bundled import BundledEmbedder

SAID = "We decided to use Kafka instead of RabbitMQ because we need replay."
FORMS = list(TextForm)


@pytest.mark.parametrize("form", FORMS)
def test_the_weights_were_trained_on_the_bundled_model(form: TextForm) -> None:
    identity = BundledEmbedder().identity
    assert trained_on() == identity.key
    assert {len(column) for column in head(form).vector} == {identity.dimension}


@pytest.mark.parametrize("form", FORMS)
def test_every_feature_has_a_weight(form: TextForm) -> None:
    columns = 1 + len(TYPES)
    known = head(form)
    assert len(known.vector) == len(known.signs) == len(known.shape) == len(known.bias) == columns
    assert {len(column) for column in known.signs} == {len(signs_of(SAID))}
    assert {len(column) for column in known.shape} == {len(shape_of(SAID))}


def test_the_forms_have_different_weights() -> None:
    heads = [head(form) for form in FORMS]
    assert len({one.vector for one in heads}) == len({one.signs for one in heads}) == len(FORMS)


@pytest.mark.parametrize("form", FORMS)
def test_a_text_without_sentences_is_no_moment(form: TextForm) -> None:
    assert head(form).likelihood("```x```", []).probability == 0.0


@pytest.mark.parametrize("share", [-1000.0, 0.0, 1000.0])
@pytest.mark.parametrize("text", [SAID, "", "\n\n", "!" * 500, "- a\n" * 50])
def test_a_probability_lies_between_zero_and_one(share: float, text: str) -> None:
    one = SentenceReading((share,) * 6, signs_of(SAID))
    found = head(TextForm.TALK).likelihood(text, [one, one])
    assert isinstance(found, Likelihood)
    assert 0 <= found.probability <= 1
    assert found.type in TYPES


def test_the_vector_changes_the_score() -> None:
    known = head(TextForm.TALK)
    still, moved = (known.reading(signs_of(SAID), [number] * 384) for number in (0.0, 0.1))
    assert set(still.shares) == {0.0}
    assert moved.shares != still.shares


def test_a_sign_counts_at_most_twice() -> None:
    assert together([(1, 0), (1, 2), (1, 0)]) == (2, 2)


def test_trouble_is_recognised() -> None:
    assert tells_trouble(signs_of("Mails went missing, which was bad."))
    assert not tells_trouble(signs_of("Running the tests now."))
