"""Takes secrets out of what others wrote; what they look like is read when there is a text."""

from __future__ import annotations


def masked(text: str) -> str:
    from commonplace.capture.secrets import mask_secrets

    return mask_secrets(text).text
