"""Trains the encoder further: python -m tools.model.tune WHEEL CLONES SETS OUT --seconds 86

Decides loss, schedule and what is judged. WHEEL is that of convert.py, CLONES holds the
repositories of tuning.toml, SETS what `benchmarks.quality.prepare` wrote. Needs PyTorch and a GPU.
"""

from __future__ import annotations

import argparse
import importlib
import json
import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from tokenizers import Tokenizer

from benchmarks.quality.datasets import load, prepared
from tools.model.candidates import Candidates, Rows, found
from tools.model.container import Container, difference, read_wheel
from tools.model.encoder import FROZEN, weights_of
from tools.model.gather import documents, passages
from tools.model.judging import judged
from tools.model.questions import Lesson, lessons

torch: Any = importlib.import_module("torch")
functional: Any = importlib.import_module("torch.nn.functional")
Weights = dict[str, Any]
# How often each kind is asked.
SHARES = {
    "changes": 0.45,
    "comments": 0.2,
    "science": 0.12,
    "sections": 0.1,
    "talk": 0.09,
    "answers": 0.04,
}
RATE = 1e-4
WARM_UP = 0.04
TEMPERATURE = 0.03
# Questions of so many lessons at once, each with so many near passages that do not answer it.
QUESTIONS, LESSONS, NEAR = 384, 6, 4
BACKWARDS = 0.3
# How much it counts that a text stays where it was, and that the texts stay ranked as they were.
NEARNESS, ORDER, ORDER_TEMPERATURE = 1.2, 0.3, 0.05
_TOKENS_AT_ONCE = 60_000
_EVERY = 0.7
_REPORT_EVERY = 50
_NEVER = -1e4


@dataclass(frozen=True, slots=True)
class School:
    """What is learned from, on the device."""

    arch: dict[str, Any]
    passages: Rows
    questions: Rows
    candidates: Candidates
    kind: Any

    def cast(self, weights: Mapping[str, Any]) -> Weights:
        return {name: value.to(self.kind) for name, value in weights.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("wheel", "clones", "sets", "out"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--seconds", type=float, default=86)
    given = parser.parse_args()
    at = "cuda" if torch.cuda.is_available() else "cpu"
    container = read_wheel(given.wheel)
    told = list(lessons(given.clones, passages(documents(given.sets))))
    before = weights_of(container, range(container.arch["layers"]), at)
    school = prepare(container, told, before, at)
    after = train(school, before, given.seconds)
    kept = {n: v.cpu().numpy() for n, v in after.items() if n not in FROZEN}
    given.out.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(
        given.out / "tuned.npz", allow_pickle=False, **difference(container.tensors, kept)
    )
    tokenizer = Tokenizer.from_str(container.tokenizer.decode())
    for name in prepared():
        dataset = load(name, given.sets, "tune")
        scores = [
            judged(weights, container.arch, tokenizer, dataset, at) for weights in (before, after)
        ]
        print(name, *(f"{score:.3f}" for score in scores), flush=True)


def prepare(container: Container, told: Sequence[Lesson], before: Weights, at: str) -> School:
    """Every text as tokens, and for every question what answers it and what nearly does."""
    tokenizer = Tokenizer.from_str(container.tokenizer.decode())
    texts = [text for one in told for parts in one.documents for text in parts]
    asked = [question for one in told for question, _ in one.questions]
    rows = Rows.of(tokenizer, texts, 256, at), Rows.of(tokenizer, asked, 112, at)
    kind = torch.bfloat16 if at == "cuda" else torch.float32
    cast = {name: value.to(kind) for name, value in before.items()}
    with torch.no_grad():
        places, questions = (one.vectors(cast, container.arch, _TOKENS_AT_ONCE) for one in rows)
    return School(container.arch, *rows, found(told, places, questions), kind)


def train(school: School, before: Weights, seconds: float) -> Weights:
    weights = {name: value.clone() for name, value in before.items()}
    learning = [value.requires_grad_() for name, value in weights.items() if name not in FROZEN]
    optimizer = torch.optim.AdamW(learning, lr=RATE, betas=(0.9, 0.98), weight_decay=0.01)
    chance = np.random.default_rng(1)
    began, step = time.monotonic(), 0
    while (done := (time.monotonic() - began) / seconds) < 1:
        for group in optimizer.param_groups:
            group["lr"] = RATE * schedule(done)
        loss, nearness = losses(school, weights, batch(school.candidates, chance))
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(learning, 1.0)
        optimizer.step()
        step += 1
        if step % _REPORT_EVERY == 0:
            print(f"step {step}: {loss.item():.3f}, cosine {nearness.item():.3f}", flush=True)
    print(json.dumps({"steps": step, "questions": step * QUESTIONS}))
    return {name: value.detach() for name, value in weights.items()}


def schedule(done: float) -> float:
    return min(1.0, done / WARM_UP + 0.02) * 0.5 * (1 + math.cos(math.pi * done))


def batch(candidates: Candidates, chance: Any) -> Any:
    """Questions of some lessons, so that texts of one place are held against each other."""
    kinds = [kind for kind in SHARES if kind in candidates.of_kind]
    often = np.array([SHARES[kind] for kind in kinds])
    taken = []
    for _ in range(LESSONS):
        told = candidates.of_kind[kinds[chance.choice(len(kinds), p=often / often.sum())]]
        sizes = np.array([len(one) ** _EVERY for one in told])
        one = told[chance.choice(len(told), p=sizes / sizes.sum())]
        taken.append(chance.choice(one, min(QUESTIONS // LESSONS, len(one)), replace=False))
    return torch.tensor(np.unique(np.concatenate(taken)), device=candidates.right.device)


def losses(school: School, weights: Weights, asked: Any) -> tuple[Any, Any]:
    """How badly questions find their answers among all that is here and answers their questions,
    and how far texts and their order are from where they were."""
    known = school.candidates
    right, wrong = known.drawn(asked, NEAR)
    seen, places = torch.unique(torch.cat([right, wrong]), return_inverse=True)
    target = places[: len(asked)]
    cast = school.cast(weights)
    texts = school.passages.vectors(cast, school.arch, _TOKENS_AT_ONCE, seen)
    questions = school.questions.vectors(cast, school.arch, _TOKENS_AT_ONCE, asked)
    cosines = questions @ texts.T
    others = known.also_right(asked, seen)
    others[torch.arange(len(asked)), target] = False
    loss = functional.cross_entropy(
        (cosines / TEMPERATURE).masked_fill(others, _NEVER), target
    ) + BACKWARDS * _backwards(cosines[:, target].T, others[:, target].T, target)
    were = known.passages[seen].float(), known.questions[asked].float()
    nearness = ((texts * were[0]).sum(1).mean() + (questions * were[1]).sum(1).mean()) / 2
    logs = (
        functional.log_softmax(each / ORDER_TEMPERATURE, 1)
        for each in (cosines, were[1] @ were[0].T)
    )
    order = functional.kl_div(*logs, reduction="batchmean", log_target=True)
    return loss + NEARNESS * (1 - nearness) + ORDER * order, nearness.detach()


def _backwards(cosines: Any, others: Any, target: Any) -> Any:
    """Which of the questions is a text the answer to?"""
    own = torch.arange(len(target), device=target.device)
    hidden = others | (target[:, None] == target[None, :])
    hidden[own, own] = False
    return functional.cross_entropy((cosines / TEMPERATURE).masked_fill(hidden, _NEVER), own)


if __name__ == "__main__":
    main()
