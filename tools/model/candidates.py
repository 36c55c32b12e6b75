"""Texts as rows of tokens, and for each question what answers it and what nearly does.

Decides which passages a question is held against, by the vectors of the model that is trained.
"""

from __future__ import annotations

import importlib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tools.model.encoder import encode
from tools.model.lessons import PAD
from tools.model.questions import Lesson

torch: Any = importlib.import_module("torch")
# Of a document that answers, its nearest passages are right; of the others, so many are wrong.
_RIGHT, _WRONG = 4, 32
# A question whose answer is further down is not learned from: it says too little.
_DEEPEST = {"changes": 60}
_DEEP = 30
_LEAST_QUESTIONS = 8
_SPREAD = 0.03
_NONE = -2.0


@dataclass(frozen=True, slots=True)
class Rows:
    tokens: Any
    starts: Any
    lengths: Any

    @classmethod
    def of(cls, tokenizer: Any, texts: Sequence[str], most: int, device: str) -> Rows:
        tokenizer.enable_truncation(most)
        rows = [one.ids for one in tokenizer.encode_batch(list(texts))]
        lengths = torch.tensor([len(row) for row in rows], device=device)
        tokens = torch.tensor([token for row in rows for token in row], device=device)
        return cls(tokens, torch.cumsum(lengths, 0) - lengths, lengths)

    def vectors(self, weights: Mapping[str, Any], arch: Any, most: int, at: Any = None) -> Any:
        """Those of the texts `at`, computed with others of about their length."""
        at = torch.arange(len(self.lengths), device=self.lengths.device) if at is None else at
        order = torch.argsort(self.lengths[at])
        lengths = self.lengths[at][order].tolist()
        made, start = [], 0
        while start < len(lengths):
            end = start + 1
            while end < len(lengths) and (end + 1 - start) * lengths[end] <= most:
                end += 1
            made.append(encode(weights, arch, *self._inputs(at[order[start:end]])))
            start = end
        return torch.cat(made)[torch.argsort(order)].float()

    def _inputs(self, at: Any) -> tuple[Any, Any]:
        lengths = self.lengths[at]
        places = torch.arange(int(lengths.max()), device=lengths.device)
        taken = (self.starts[at][:, None] + places).clamp(max=len(self.tokens) - 1)
        return torch.where(places < lengths[:, None], self.tokens[taken], PAD), lengths


@dataclass(frozen=True, slots=True)
class Candidates:
    """`right` and `wrong` are places of passages, -1 where there are fewer; `documents` and
    `answers` are numbers of documents; `of_kind` has the questions of each lesson."""

    passages: Any
    questions: Any
    right: Any
    wrong: Any
    documents: Any
    answers: Any
    of_kind: dict[str, list[NDArray[np.int64]]]

    def drawn(self, asked: Any, near: int) -> tuple[Any, Any]:
        """For each question a passage that answers it, nearer ones rather, and wrong ones."""
        right = self.right[asked]
        cosines = (self.passages[right.clamp(min=0)] * self.questions[asked][:, None]).sum(-1)
        likely = torch.softmax(cosines.float().masked_fill(right < 0, -9) / _SPREAD, 1)
        chosen = right.gather(1, torch.multinomial(likely, 1))[:, 0]
        wrong = self.wrong[asked]
        by_chance = torch.rand(wrong.shape, device=wrong.device).masked_fill(wrong < 0, -1)
        taken = wrong.gather(1, by_chance.topk(near, 1).indices).flatten()
        return chosen, taken[taken >= 0]

    def also_right(self, asked: Any, seen: Any) -> Any:
        return (self.documents[seen][None, :, None] == self.answers[asked][:, None, :]).any(-1)


def found(told: Sequence[Lesson], passages: Any, questions: Any) -> Candidates:
    device = passages.device
    right = torch.full((len(questions), _RIGHT), -1, device=device)
    wrong = torch.full((len(questions), _WRONG), -1, device=device)
    documents, answers = list[int](), list[list[int]]()
    of_kind: dict[str, list[NDArray[np.int64]]] = defaultdict(list)
    first, asked, number = 0, 0, 0
    for one in told:
        own = [number + n for n, parts in enumerate(one.documents) for _ in parts]
        documents += own
        answers += [[number + n for n in numbers] for _, numbers in one.questions]
        texts, ends = slice(first, first + len(own)), asked + len(one.questions)
        cosines = questions[asked:ends] @ passages[texts].T
        answering = _answering(own, answers[asked:ends], device)
        right[asked:ends], best = _nearest(cosines, answering, _RIGHT, first)
        wrong[asked:ends], _ = _nearest(cosines, ~answering, _WRONG, first)
        before = (cosines.masked_fill(answering, _NONE) > best[:, None]).sum(1)
        clear = (before < _DEEPEST.get(one.kind, _DEEP)) & (right[asked:ends, 0] >= 0)
        kept = torch.nonzero(clear & (wrong[asked:ends, 0] >= 0))[:, 0].cpu().numpy() + asked
        if len(kept) > _LEAST_QUESTIONS:
            of_kind[one.kind].append(kept)
        first, asked, number = texts.stop, ends, number + len(one.documents)
    most = max(map(len, answers))
    padded = [row + [-1] * (most - len(row)) for row in answers]
    numbers = torch.tensor(documents, device=device), torch.tensor(padded, device=device)
    return Candidates(passages.half(), questions.half(), right, wrong, *numbers, dict(of_kind))


def _answering(own: list[int], answers: list[list[int]], device: Any) -> Any:
    """For each question, whether each passage is of a document that answers it."""
    places = {number: list[int]() for number in own}
    for place, number in enumerate(own):
        places[number].append(place)
    answering = torch.zeros((len(answers), len(own)), dtype=torch.bool)
    for question, numbers in enumerate(answers):
        for number in numbers:
            answering[question, places.get(number, [])] = True
    return answering.to(device)


def _nearest(cosines: Any, counted: Any, most: int, first: int) -> tuple[Any, Any]:
    """The places of the nearest counted passages, and the largest cosine."""
    count = min(most, cosines.shape[1])
    values, places = cosines.masked_fill(~counted, _NONE).topk(count, 1)
    kept = torch.where(values > _NONE, places + first, -1)
    return torch.nn.functional.pad(kept, (0, most - count), value=-1), values[:, 0]
