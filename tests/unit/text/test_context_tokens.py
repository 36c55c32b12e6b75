"""Estimates for an agent's context, against what the tokenizer o200k counts."""

from __future__ import annotations

import pytest

from commonplace.text.context_tokens import estimate_context_tokens

PYTHON = """class Ledger:
    def book(self, amount: int) -> int:
        if amount < 0:
            raise ValueError("amount must not be negative")
        self.bookings.append(amount)
        return sum(self.bookings)
"""
PROSE = (
    "Escalate refund retries after the third gateway timeout and page the checkout owner. "
    "Retrying is safe while settlement is open."
)
TYPESCRIPT = """export async function parseConfig(text: string): Promise<Record<string, number>> {
  const HTTP_TIMEOUT_MS = 30000;
  return JSON.parse(text, (key, value) => (key === 'wait' ? HTTP_TIMEOUT_MS : value));
}
"""


@pytest.mark.parametrize(("text", "counted"), [(PYTHON, 47), (PROSE, 25), (TYPESCRIPT, 52)])
def test_an_estimate_is_near_the_count(text: str, counted: int) -> None:
    assert estimate_context_tokens(text) == pytest.approx(counted, rel=0.15)


def test_no_text_has_no_token_and_any_other_has_one() -> None:
    assert estimate_context_tokens("") == 0
    assert estimate_context_tokens(" ") == 1


def test_indentation_is_not_paid_by_the_space() -> None:
    deep = "\n".join(f"{' ' * 40}call(a)" for _ in range(20))
    assert estimate_context_tokens(deep) < 150
