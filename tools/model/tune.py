"""Trains the encoder further: python -m tools.model.tune WHEEL CLONES SETS OUT

Decides loss, schedule and what is kept. WHEEL is that of convert.py, CLONES has tuning.toml's
repositories, SETS is from `benchmarks.quality.prepare`. Needs PyTorch, and 16-bit products.
"""

from __future__ import annotations

import argparse
import importlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from tokenizers import Tokenizer

from benchmarks.quality.datasets import load, prepared
from tools.model.candidates import Candidates, Rows, found, together
from tools.model.container import Container, difference, read_wheel
from tools.model.encoder import FROZEN, encode, weights_of
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
STEPS, RATE = 320, 1.6e-4
# What is kept: the mean of the weights after so many steps and of the last ones, and of the way
# from the old weights to that mean so much, since the whole way finds less of other things.
EARLY, PART = 100, 0.75
WARM_UP = 0.04
TEMPERATURE = 0.03
# Questions of so many lessons at once, each with so many near passages that do not answer it.
QUESTIONS, LESSONS, NEAR = 256, 4, 1
# So many tokens of a passage and of a question.
PASSAGE, QUESTION = 80, 64
# Of one lesson, where each question has a passage of its own, so many are taken; and what commits
# ask of every second project.
TAKEN = {"science": 1500, "sections": 2000, "answers": 1500, "comments": 300}
BACKWARDS = 0.3
# How much it counts that a text stays where it was, and that the texts stay ranked as they were.
NEARNESS, ORDER, ORDER_TEMPERATURE = 1.2, 0.3, 0.05
_TOKENS_AT_ONCE = 4_000
_EVERY = 0.7
_REPORT_EVERY = 20
_NEVER = -1e4


@dataclass(frozen=True, slots=True)
class School:
    """What is learned from."""

    arch: dict[str, Any]
    passages: Rows
    questions: Rows
    candidates: Candidates


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("wheel", "clones", "sets", "out"):
        parser.add_argument(name, type=Path)
    given = parser.parse_args()
    container = read_wheel(given.wheel)
    told = list(lessons(given.clones, passages(documents(given.sets))))
    before = weights_of(container, range(container.arch["layers"]), "cpu")
    given.out.mkdir(parents=True, exist_ok=True)
    school = prepare(container, told, before)
    after = on_the_way(before, train(school, before))
    kept = {n: v.numpy() for n, v in after.items() if n not in FROZEN}
    np.savez_compressed(
        given.out / "tuned.npz", allow_pickle=False, **difference(container.tensors, kept)
    )
    tokenizer = Tokenizer.from_str(container.tokenizer.decode())
    for name in prepared():
        dataset = load(name, given.sets, "tune")
        scores = [
            judged(halved(weights), container.arch, tokenizer, dataset)
            for weights in (before, after)
        ]
        print(name, *(f"{score:.3f}" for score in scores), flush=True)


def prepare(container: Container, told: Sequence[Lesson], before: Weights) -> School:
    """Every text as tokens, and for every question what answers it and what nearly does."""
    tokenizer = Tokenizer.from_str(container.tokenizer.decode())
    told = taken(told)
    texts = [text for one in told for parts in one.documents for text in parts]
    asked = [question for one in told for question, _ in one.questions]
    rows = Rows.of(tokenizer, texts, PASSAGE), Rows.of(tokenizer, asked, QUESTION)
    places, questions = (
        one.vectors(halved(before), container.arch, _TOKENS_AT_ONCE) for one in rows
    )
    return School(container.arch, *rows, found(told, places, questions))


def taken(told: Sequence[Lesson]) -> list[Lesson]:
    changes = [one for one in told if one.kind == "changes"][::2]
    others = (one for one in told if one.kind != "changes")
    return changes + [_shortened(one, TAKEN.get(one.kind)) for one in others]


def _shortened(lesson: Lesson, most: int | None) -> Lesson:
    kept = lesson.documents[:most], lesson.questions[:most]
    return Lesson(lesson.kind, lesson.name, *kept)


def halved(weights: Weights) -> Weights:
    return {name: value.bfloat16() for name, value in weights.items()}


def train(school: School, before: Weights) -> list[Weights]:
    """The weights after some of the steps, and after all of them."""
    torch.manual_seed(1)
    weights = {name: value.clone() for name, value in before.items()}
    learning = [value.requires_grad_() for name, value in weights.items() if name not in FROZEN]
    optimizer = torch.optim.AdamW(learning, lr=RATE, betas=(0.9, 0.98), weight_decay=0.01)
    chance = np.random.default_rng(1)
    frozen = halved({name: weights[name] for name in FROZEN})
    seen = []
    for step in range(STEPS):
        for group in optimizer.param_groups:
            group["lr"] = RATE * schedule(step / STEPS)
        optimizer.zero_grad(set_to_none=True)
        loss, nearness = learned(school, weights, frozen, batch(school.candidates, chance))
        torch.nn.utils.clip_grad_norm_(learning, 1.0)
        optimizer.step()
        if step % _REPORT_EVERY == 0:
            print(f"step {step}: {loss:.3f}, cosine {nearness:.3f}", flush=True)
        if step in (EARLY, STEPS - 1):
            seen.append({name: value.detach().clone() for name, value in weights.items()})
    return seen


def on_the_way(before: Weights, seen: Sequence[Weights]) -> Weights:
    return {
        name: old + PART * (sum(weights[name] for weights in seen) / len(seen) - old)
        for name, old in before.items()
    }


def schedule(done: float) -> float:
    return min(1.0, done / WARM_UP + 0.02) * 0.5 * (1 + math.cos(math.pi * done))


def batch(candidates: Candidates, chance: Any) -> Any:
    """Questions of some lessons, so that texts of one place are held against each other."""
    kinds = [kind for kind in SHARES if kind in candidates.of_kind]
    often = np.array([SHARES[kind] for kind in kinds])
    drawn = []
    for _ in range(LESSONS):
        told = candidates.of_kind[kinds[chance.choice(len(kinds), p=often / often.sum())]]
        sizes = np.array([len(one) ** _EVERY for one in told])
        one = told[chance.choice(len(told), p=sizes / sizes.sum())]
        drawn.append(chance.choice(one, min(QUESTIONS // LESSONS, len(one)), replace=False))
    return torch.tensor(np.unique(np.concatenate(drawn)))


def learned(school: School, weights: Weights, frozen: Weights, asked: Any) -> tuple[float, float]:
    """Adds to the gradients of the weights what a batch says, group by group."""
    right, wrong = school.candidates.drawn(asked, NEAR)
    seen, places = torch.unique(torch.cat([right, wrong]), return_inverse=True)
    sides = [(school.passages, seen), (school.questions, asked)]
    sorted_, groups = zip(*(rows.groups(at, _TOKENS_AT_ONCE) for rows, at in sides), strict=True)
    work = [(rows, at) for (rows, _), found in zip(sides, groups, strict=True) for at in found]

    def encoded(one: tuple[Rows, Any]) -> Any:
        rows, at = one
        lent = {n: v.bfloat16() for n, v in weights.items() if n not in frozen}
        return encode({**lent, **frozen}, school.arch, *rows.inputs(at))

    made = list(together(encoded, work))
    leaves = [one.detach().requires_grad_() for one in made]
    cut = len(groups[0])
    texts, questions = (
        torch.cat(part)[torch.argsort(order)]
        for part, order in zip((leaves[:cut], leaves[cut:]), sorted_, strict=True)
    )
    loss, nearness = losses(school.candidates, texts, questions, asked, seen, places)
    loss.backward()
    for _ in together(lambda pair: pair[0].backward(pair[1].grad), zip(made, leaves, strict=True)):
        pass
    return loss.item(), nearness.item()


def losses(
    known: Candidates, texts: Any, questions: Any, asked: Any, seen: Any, places: Any
) -> tuple[Any, Any]:
    """How badly questions find their answers among all that is here and answers their questions,
    and how far texts and their order are from where they were."""
    target = places[: len(asked)]
    cosines = questions @ texts.T
    others = known.also_right(asked, seen)
    others[torch.arange(len(asked)), target] = False
    loss = functional.cross_entropy(
        (cosines / TEMPERATURE).masked_fill(others, _NEVER), target
    ) + BACKWARDS * _backwards(cosines[:, target].T, others[:, target].T, target)
    were = known.passages[seen], known.questions[asked]
    nearness = ((texts * were[0]).sum(1).mean() + (questions * were[1]).sum(1).mean()) / 2
    logs = (
        functional.log_softmax(each / ORDER_TEMPERATURE, 1)
        for each in (cosines, were[1] @ were[0].T)
    )
    order = functional.kl_div(*logs, reduction="batchmean", log_target=True)
    return loss + NEARNESS * (1 - nearness) + ORDER * order, nearness.detach()


def _backwards(cosines: Any, others: Any, target: Any) -> Any:
    """Which of the questions is a text the answer to?"""
    own = torch.arange(len(target))
    hidden = others | (target[:, None] == target[None, :])
    hidden[own, own] = False
    return functional.cross_entropy((cosines / TEMPERATURE).masked_fill(hidden, _NEVER), own)


if __name__ == "__main__":
    main()
