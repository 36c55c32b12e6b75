"""Tokens of large models, estimated: against counts that a real tokenizer gave for these texts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from commonplace.text.context_tokens import estimate_context_tokens

# Counted with o200k_base.
COUNTED = [
    (
        (
            "class Ledger:\n    def book(self, amount: int) -> int:\n        if amount < 0:\n"
            '            raise ValueError("amount must not be negative")\n'
            "        self.bookings.append(amount)\n        return sum(self.bookings)\n"
        ),
        47,
    ),
    (
        (
            "Escalate refund retries after the third gateway timeout and page the checkout owner. "
            "Retrying is safe while settlement is open."
        ),
        25,
    ),
    (
        (
            "export async function parseConfig(text: string): Promise<Record<string, number>> {\n"
            "  const HTTP_TIMEOUT_MS = 30000;\n  return JSON.parse(text, (key, value) => "
            "(key === 'wait' ? HTTP_TIMEOUT_MS : value));\n}\n"
        ),
        52,
    ),
]


@pytest.mark.parametrize(("text", "tokens"), COUNTED)
def test_the_estimate_is_about_right(text: str, tokens: int) -> None:
    assert estimate_context_tokens(text) == pytest.approx(tokens, rel=0.12)


@given(some.text())
def test_only_nothing_costs_nothing(text: str) -> None:
    assert (estimate_context_tokens(text) == 0) == (text == "")


@given(some.text(), some.text())
def test_more_text_never_costs_less(text: str, more: str) -> None:
    assert estimate_context_tokens(text + more) >= estimate_context_tokens(text) - 1
