"""An embedding endpoint whose texts say themselves how near they are to any query.

A passage with the words `nearness 90` has cosine 0.9 to every query; any other has cosine 0.
"""

from __future__ import annotations

import math
import re
from typing import Any

from tests.unit.embedding.local_endpoint import Answered, Asked, vectors

DIMENSION = 8
QUERY_PREFIX = "query: "
_NEARNESS = re.compile(r"nearness (\d+)")


def near(percent: int) -> str:
    """What to write into a body."""
    return f"nearness {percent}"


def answer(asked: Asked) -> Answered:
    return vectors([_vector(text) for text in asked.inputs])


def _vector(text: str) -> list[float]:
    found = _NEARNESS.search(text)
    cosine = int(found[1]) / 100 if found else 0.0
    if text.startswith(QUERY_PREFIX):
        cosine = 1.0
    return [cosine, math.sqrt(1 - cosine * cosine), *[0.0] * (DIMENSION - 2)]


def embedded_at(url: str) -> dict[str, Any]:
    """The settings that ask such an endpoint."""
    return {
        "embedding_url": url,
        "embedding_model": "nearness",
        "embedding_dimension": DIMENSION,
        "embedding_query_prefix": QUERY_PREFIX,
    }
