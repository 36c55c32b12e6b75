"""Masks secrets in a text; the patterns are loaded with the first text."""

from __future__ import annotations


def masked(text: str) -> str:
    from commonplace.capture.secrets import mask_secrets

    return mask_secrets(text).text
