"""Secrets in text that an agent stores explicitly: masked or kept, with a warning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from commonplace.capture.secrets import Masked


@dataclass(frozen=True, slots=True)
class WrittenTexts:
    """The texts to store, and warnings."""

    texts: tuple[str, ...]
    warnings: tuple[str, ...] = ()


def written(given: Sequence[str], masked: Sequence[Masked], *, mask: bool) -> WrittenTexts:
    """The texts, without their secrets if `mask` is set."""
    titles = dict.fromkeys(secret.title for one in masked for secret in one.found)
    if not titles:
        return WrittenTexts(tuple(given))
    named = ", ".join(titles)
    if mask:
        told = f"What looks like a secret was removed ({named}); change it where it is used."
        return WrittenTexts(tuple(one.text for one in masked), (told,))
    return WrittenTexts(
        tuple(given),
        (f"It holds what looks like a secret ({named}), and is kept as it was given.",),
    )
