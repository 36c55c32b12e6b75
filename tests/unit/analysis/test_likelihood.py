"""The learned head: made for the bundled model, whole, and sound whatever it is told."""

from __future__ import annotations

import pytest

from commonplace.analysis.likelihood import (
    TYPES,
    Likelihood,
    SentenceReading,
    head,
    likelihood,
    reading,
    shape_of,
    signs_of,
    tells_trouble,
    together,
)
from commonplace.embedding.bundled import BundledEmbedder

SAID = "We decided to use Kafka instead of RabbitMQ because we need replay."


def test_the_head_was_learned_on_the_bundled_model() -> None:
    identity = BundledEmbedder().identity
    assert head().model == identity.key
    assert {len(column) for column in head().vector} == {identity.dimension}


def test_the_head_has_a_weight_for_all_that_is_looked_at() -> None:
    columns = 1 + len(TYPES)
    known = head()
    assert len(known.vector) == len(known.signs) == len(known.shape) == len(known.bias) == columns
    assert {len(column) for column in known.signs} == {len(signs_of(SAID))}
    assert {len(column) for column in known.shape} == {len(shape_of(SAID))}


def test_nothing_said_is_no_moment() -> None:
    assert likelihood("```x```", []).probability == 0.0


@pytest.mark.parametrize("pull", [-1000.0, 0.0, 1000.0])
def test_a_probability_is_one_whatever_the_vector(pull: float) -> None:
    one = SentenceReading((pull,) * 6, signs_of(SAID))
    found = likelihood(SAID, [one, one])
    assert isinstance(found, Likelihood)
    assert 0 <= found.probability <= 1
    assert found.type in TYPES


def test_a_vector_pulls_by_its_numbers() -> None:
    still, moved = (reading(signs_of(SAID), [number] * 384) for number in (0.0, 0.1))
    assert set(still.pulls) == {0.0}
    assert moved.pulls != still.pulls


def test_more_than_two_of_a_sign_count_as_two() -> None:
    assert together([(1, 0), (1, 2), (1, 0)]) == (2, 2)


def test_trouble_is_told() -> None:
    assert tells_trouble(signs_of("Mails went missing, which was bad."))
    assert not tells_trouble(signs_of("Running the tests now."))
