"""What becomes of secrets in what somebody writes down, and what the writer is told of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from commonplace.capture.secrets import Masked


@dataclass(frozen=True, slots=True)
class WrittenTexts:
    """The texts as they are to be kept, and warnings."""

    texts: tuple[str, ...]
    warnings: tuple[str, ...] = ()


def written(given: Sequence[str], masked: Sequence[Masked], *, mask: bool) -> WrittenTexts:
    """Texts without their secrets where that is wanted, else as they were given."""
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
