"""Distils a smaller encoder: python -m tools.model.student WHEEL TEXTS OUT --seconds 300

Decides loss, schedule and what is held back. WHEEL is that of convert.py, TEXTS what gather.py
wrote. Needs PyTorch and a GPU.
"""

from __future__ import annotations

import argparse
import importlib
import json
import math
import random
import time
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tools.model.container import Container, read_wheel
from tools.model.encoder import FROZEN, encode, weights_of
from tools.model.gather import RECIPE
from tools.model.lessons import SHARES, Lessons, Vocabulary, read_texts, sketches, tokenised

torch: Any = importlib.import_module("torch")
functional: Any = importlib.import_module("torch.nn.functional")
LAYERS = (0, 2, 5)
RATE = 4e-4
WARM_UP = 0.03
TEMPERATURE = 0.03
NEARNESS = 4.0
QUESTION = 18
# How wide a piece the student sees and the teacher sees, how many of them, and how often.
# Where the teacher sees more, the student learns to say from a head what the whole is about.
STEPS = (
    (32, 32, 2048, 12),
    (64, 64, 1536, 12),
    (64, 256, 768, 10),
    (128, 128, 1024, 24),
    (128, 256, 768, 16),
    (256, 256, 512, 16),
    (512, 512, 256, 10),
)
_SAVE_EVERY = 40.0
_REPORT_EVERY = 100


@dataclass(frozen=True, slots=True)
class Pair:
    """The teacher, the student and where they compute."""

    arch: dict[str, Any]
    teacher: dict[str, Any]
    student: dict[str, Any]
    kind: Any

    def taught(self, tokens: Any, lengths: Any) -> Any:
        with torch.no_grad():
            return encode(self.teacher, self.arch, tokens, lengths)

    def learned(self, tokens: Any, lengths: Any) -> Any:
        cast = {name: value.to(self.kind) for name, value in self.student.items()}
        return encode(cast, self.arch, tokens, lengths)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wheel", type=Path)
    parser.add_argument("texts", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seconds", type=float, default=300)
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    container = read_wheel(given.wheel)
    lessons = prepare(container, given.texts, device())
    train(container, lessons, given.out, given.seconds)


def device() -> str:
    return "cuda" if torch.cuda.is_available() else "cpu"


def prepare(container: Container, texts: Path, at: str) -> Lessons:
    """Every text as tokens; code also as sketches."""
    began = time.monotonic()
    recipe = tomllib.loads(RECIPE.read_text(encoding="utf-8"))
    found = read_texts(texts)
    code = found.get("code", []) + found.get("packages", [])
    found["sketches"] = list(sketches(code, recipe["keywords"]))
    definition = container.tokenizer.decode()
    found = {kind: found[kind] for kind in SHARES if found.get(kind)}
    rows = tokenised(definition, found)
    for kind, documents in rows.items():
        print(f"{kind}: {len(documents):,} texts, {sum(map(len, documents)):,} tokens", flush=True)
    lessons = Lessons(rows, Vocabulary.of(definition), at)
    print(f"{lessons.tokens:,} tokens after {time.monotonic() - began:.0f} s", flush=True)
    return lessons


def train(container: Container, lessons: Lessons, out: Path, seconds: float) -> None:
    at = device()
    kind = torch.bfloat16 if at == "cuda" else torch.float32
    every = range(container.arch["layers"])
    teacher = {n: v.to(kind) for n, v in weights_of(container, every, at).items()}
    student = weights_of(container, LAYERS, at)
    learning = [v.requires_grad_() for n, v in student.items() if n not in FROZEN]
    pair = Pair(container.arch, teacher, student, kind)
    optimizer = torch.optim.AdamW(learning, lr=RATE, weight_decay=0.01, fused=at == "cuda")
    chance = random.Random(1)
    began = saved = time.monotonic()
    step, pieces = 0, 0
    while (spent := time.monotonic() - began) < seconds:
        for group in optimizer.param_groups:
            group["lr"] = RATE * schedule(spent / seconds)
        shape = chance.choices(STEPS, [often for *_, often in STEPS])[0]
        loss, nearness, count = losses(pair, lessons, shape[:3])
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(learning, 1.0)
        optimizer.step()
        step, pieces = step + 1, pieces + count
        if step % _REPORT_EVERY == 0:
            shown = f"{shape[0]:>3}/{shape[1]:<3} {loss.item():.4f} cosine {nearness.item():.4f}"
            print(f"{spent:6.1f} s, step {step}, {pieces:,} pieces: {shown}", flush=True)
        if time.monotonic() - saved > _SAVE_EVERY:
            save(student, out)
            saved = time.monotonic()
    save(student, out)
    figures = {"steps": step, "pieces": pieces, "held back": held_back(pair, lessons)}
    print(json.dumps(figures, indent=1))
    (out / "figures.json").write_text(json.dumps(figures, indent=1), encoding="utf-8")


def schedule(done: float) -> float:
    """Rises in the beginning, then falls to nothing as half a wave."""
    return min(1.0, done / WARM_UP + 0.01) * 0.5 * (1 + math.cos(math.pi * min(1.0, done)))


def losses(pair: Pair, lessons: Lessons, shape: tuple[int, int, int]) -> tuple[Any, Any, int]:
    """How far the student is from the teacher, and from how it ranks: over the pieces for each
    question, and over the questions for each piece."""
    seen, taught, pieces = shape
    starts, ends = lessons.batch(seen, pieces)
    wide = lessons.further(starts, ends, taught) if taught > seen else ends
    right = pair.taught(*lessons.inputs(starts, wide, taught))
    asked = pair.taught(*lessons.questions(starts, wide, QUESTION))
    given = pair.learned(*lessons.inputs(starts, ends, seen))
    nearness = (given * right).sum(dim=1).mean()
    wanted, got = asked @ right.T / TEMPERATURE, asked @ given.T / TEMPERATURE
    apart = divergence(wanted, got) + divergence(wanted.T, got.T)
    return NEARNESS * (1 - nearness) + apart, nearness.detach(), len(starts)


def divergence(wanted: Any, got: Any) -> Any:
    """Of how one ranks from how the other does."""
    logs = (functional.log_softmax(got, dim=1), functional.log_softmax(wanted, dim=1))
    return functional.kl_div(*logs, reduction="batchmean", log_target=True)


def held_back(pair: Pair, lessons: Lessons) -> dict[str, list[float]]:
    """By kind, for texts that were never learned: the cosine with the teacher, and how often a
    question finds its piece among 256 of the kind, by the student's vectors and the teacher's."""
    found = {}
    with torch.no_grad():
        for kind in SHARES:
            try:
                starts, ends = lessons.batch(128, 256, held=True, only=kind)
            except RuntimeError:
                continue
            right = pair.taught(*lessons.inputs(starts, ends, 128))
            given = pair.learned(*lessons.inputs(starts, ends, 128))
            asked = pair.taught(*lessons.questions(starts, ends, QUESTION))
            own = torch.arange(len(starts), device=starts.device).repeat(2)
            hits = [float((asked @ v.T).argmax(1).eq(own).float().mean()) for v in (given, right)]
            found[kind] = [round(x, 4) for x in (float((given * right).sum(1).mean()), *hits)]
    return found


def save(student: dict[str, Any], out: Path) -> None:
    """What was learned, in half precision; the rest is the full model's."""
    arrays: dict[str, Any] = {
        name: value.detach().cpu().numpy().astype(np.float16)
        for name, value in student.items()
        if name not in FROZEN
    }
    np.savez(out / "student.part.npz", **arrays)
    (out / "student.part.npz").rename(out / "student.npz")


if __name__ == "__main__":
    main()
