"""Gathers student.toml's texts: python -m tools.model.gather CLONES PACKAGES SETS OUT

Decides how they are read, and that nothing is taken which shares a passage with SETS (written by
`benchmarks.quality.prepare`). One file for each kind; texts are divided by a zero byte.
"""

from __future__ import annotations

import argparse
import html
import json
import random
import re
import subprocess
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

RECIPE = Path(__file__).with_name("student.toml")
DIVIDER = "\0"
MEGABYTE = 1_000_000
# Longer files say the same for longer; so many characters of a text are taken, from anywhere in it.
_MOST = 12_000
_MOST_OF_A_MODULE = 18_000
_LEAST = 60
# So many words in a row are the same only where text was copied.
_PASSAGE = 12
_BOILERPLATE = 3
_MOST_COMMITS = 20_000
_MOST_CHANGES = 5_000
_WORD = re.compile(r"\w+")
_TAG = re.compile(r"<[^>]+>")
_TRAILER = re.compile(
    r"^(?:[A-Z][\w-]+-by|Reviewed-on|Change-Id|Fixes|Closes|Cc|Refs?): .*$", re.MULTILINE
)
_MERGE = re.compile(r"^(?:Merge|Auto merge|Rollup merge|Bump |Revert )")
_SPOKEN = ("utterance", "message", "text", "content")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("clones", type=Path)
    parser.add_argument("packages", type=Path)
    parser.add_argument("sets", type=Path)
    parser.add_argument("out", type=Path)
    given = parser.parse_args()
    judged = passages(documents(given.sets))
    gathered: dict[str, list[str]] = defaultdict(list)
    recipe = tomllib.loads(RECIPE.read_text(encoding="utf-8"))
    for source in recipe["source"]:
        gathered[source["kind"]] += texts_of(given.clones, source, judged)
    for package in recipe["package"]:
        gathered["packages"] += modules_of(given.packages, package, judged)
    given.out.mkdir(parents=True, exist_ok=True)
    for kind, texts in gathered.items():
        (given.out / f"{kind}.txt").write_text(DIVIDER.join(texts), encoding="utf-8")
        print(f"{kind}: {len(texts):,} texts")


def documents(sets: Path) -> Iterator[str]:
    for path in sorted(sets.glob("*/documents.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            yield json.loads(line)["text"]


def passages(texts: Iterable[str]) -> set[int]:
    """Every run of words of the texts, as a number, but for what many share, such as a licence."""
    shared = Counter(passage for text in texts for passage in set(_runs(text)))
    return {passage for passage, times in shared.items() if times <= _BOILERPLATE}


def texts_of(clones: Path, source: dict[str, Any], judged: set[int]) -> Iterator[str]:
    """At most as many megabytes as the recipe allows, the same ones every time."""
    left = source["megabytes"] * MEGABYTE
    chance = random.Random(source["repository"])
    known: set[int] = set()
    for text in FORMS[source["form"]](Repository(clones, source), chance):
        taken = _window(text.strip(), chance)
        if len(taken) < _LEAST or hash(taken) in known or shares(taken, judged):
            continue
        known.add(hash(taken))
        yield taken
        left -= len(taken)
        if left < 0:
            return


def modules_of(folder: Path, package: dict[str, Any], judged: set[int]) -> Iterator[str]:
    """The beginnings of an installed package's modules, as many as the recipe allows."""
    left = package["megabytes"] * MEGABYTE
    for path in sorted((folder / package["name"]).rglob("*.py")):
        text = _decoded(path.read_bytes())[:_MOST_OF_A_MODULE]
        left -= len(text)
        if left < 0:
            return
        if not shares(text, judged):
            yield text


class Repository:
    """A bare clone at the recipe's commit."""

    def __init__(self, clones: Path, source: dict[str, Any]) -> None:
        at = clones / source["repository"].replace("/", "+")
        places = (at / "repo" / ".git", at / "repo", at / ".git", at)
        self.name: str = source["repository"]
        self._git = ["git", "--git-dir", str(next(p for p in places if (p / "HEAD").exists()))]
        self._source = source

    def files(self, chance: random.Random) -> Iterator[str]:
        """The contents of the files that the recipe names, in any order."""
        under, endings = self._source["under"], tuple(self._source["endings"])
        paths = [p for p in self.sizes() if p.startswith(under) and p.endswith(endings)]
        for _, text in self.contents(chance.sample(paths, len(paths))):
            yield text

    def sizes(self) -> dict[str, int]:
        """How many bytes each file has."""
        listed = self._output("ls-tree", "-r", "-l", self._source["commit"]).splitlines()
        rows = (line.split("\t", 1) for line in listed)
        sizes = ((path, told.split()[3]) for told, path in rows)
        return {path: int(size) for path, size in sizes if size.isdigit()}

    def contents(self, paths: Iterable[str]) -> Iterator[tuple[str, str]]:
        command = [*self._git, "cat-file", "--batch"]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as reader:
            assert reader.stdin is not None, "a pipe"
            assert reader.stdout is not None, "a pipe"
            for path in paths:
                reader.stdin.write(f"{self._source['commit']}:{path}\n".encode())
                reader.stdin.flush()
                head = reader.stdout.readline().split()
                if head[-1] != b"missing":
                    yield path, _decoded(reader.stdout.read(int(head[-1]) + 1))

    def changes(self) -> Iterator[tuple[str, list[str]]]:
        """The messages of the newest commits and the paths that each changed."""
        options = ("--no-merges", f"--max-count={_MOST_CHANGES}", "--name-only")
        log = self._output("log", *options, "--format=%x01%B%x02", self._source["commit"])
        for entry in log.split("\x01")[1:]:
            message, paths = entry.split("\x02", 1)
            yield message, paths.split("\n")

    def messages(self) -> list[str]:
        options = ("--no-merges", f"--max-count={_MOST_COMMITS}", "--format=%B%x00")
        return self._output("log", *options, self._source["commit"]).split(DIVIDER)

    def _output(self, *arguments: str) -> str:
        done = subprocess.run([*self._git, *arguments], check=True, capture_output=True)
        return done.stdout.decode("utf-8", "replace")


def _decoded(content: bytes) -> str:
    return content.decode("utf-8", "replace").replace(DIVIDER, " ")


def _files(repository: Repository, chance: random.Random) -> Iterator[str]:
    yield from repository.files(chance)


def _commits(repository: Repository, chance: random.Random) -> Iterator[str]:
    messages = [m.strip() for m in repository.messages() if not _MERGE.match(m.strip())]
    for message in chance.sample(messages, len(messages)):
        yield _TRAILER.sub("", message)


def _articles(repository: Repository, chance: random.Random) -> Iterator[str]:
    """The title and abstract of an article of a journal, and some paragraphs of it."""
    for article in repository.files(chance):
        title = re.search(r"<article-title>(.*?)</article-title>", article, re.DOTALL)
        abstract = re.search(r"<abstract\b[^>]*>(.*?)</abstract>", article, re.DOTALL)
        if title and abstract:
            yield f"{plain(title[1])}\n{_paragraphs_in(abstract[1])}"
        body = article.partition("<body>")[2]
        sections = re.findall(r"<sec\b[^>]*>(.*?)</sec>", body, re.DOTALL)
        for section in chance.sample(sections, min(2, len(sections))):
            yield _paragraphs_in(section)[:3000]


def _abstracts(repository: Repository, chance: random.Random) -> Iterator[str]:
    """Those of the papers of many conferences, one file for each."""
    for volume in repository.files(chance):
        for paper in re.findall(r"<paper\b.*?</paper>", volume, re.DOTALL):
            title = re.search(r"<title>(.*?)</title>", paper, re.DOTALL)
            abstract = re.search(r"<abstract>(.*?)</abstract>", paper, re.DOTALL)
            if title and abstract:
                yield f"{plain(title[1])}\n{plain(abstract[1])}"


def _paragraphs(repository: Repository, chance: random.Random) -> Iterator[str]:
    """Of books in XML."""
    for chapter in repository.files(chance):
        yield _paragraphs_in(chapter)


def _dialogues(repository: Repository, chance: random.Random) -> Iterator[str]:
    for file in repository.files(chance):
        try:
            values = [json.loads(file)]
        except json.JSONDecodeError:
            values = [json.loads(line) for line in file.splitlines() if line]
        for value in values:
            every = value.values() if isinstance(value, dict) else value
            for dialogue in every:
                yield "\n".join(_spoken(dialogue))


FORMS = {
    "files": _files,
    "commits": _commits,
    "articles": _articles,
    "abstracts": _abstracts,
    "paragraphs": _paragraphs,
    "dialogues": _dialogues,
}


def _spoken(value: Any) -> Iterator[str]:
    """What is said in a dialogue, turn by turn, wherever its format keeps it."""
    if isinstance(value, list):
        for each in value:
            yield from _spoken(each)
    elif isinstance(value, dict):
        said = next((value[k] for k in _SPOKEN if isinstance(value.get(k), str)), None)
        if said is not None:
            yield said.strip()
            return
        for each in value.values():
            yield from _spoken(each)


def _paragraphs_in(xml: str) -> str:
    found = re.findall(r"<(p|para)\b[^>]*>(.*?)</\1>", xml, re.DOTALL)
    return "\n".join(filter(None, (plain(inner) for _, inner in found)))


def plain(xml: str) -> str:
    return " ".join(html.unescape(_TAG.sub("", xml)).split())


def _window(text: str, chance: random.Random) -> str:
    """Some whole lines of a long text."""
    if len(text) <= _MOST:
        return text
    start = chance.choice((0, text.rfind("\n", 0, chance.randrange(len(text) - _MOST)) + 1))
    return text[start : start + _MOST].strip()


def shares(text: str, judged: set[int]) -> bool:
    return any(passage in judged for passage in _runs(text))


def _runs(text: str) -> Iterator[int]:
    words = _WORD.findall(text.lower())
    for start in range(len(words) - _PASSAGE + 1):
        yield hash(tuple(words[start : start + _PASSAGE]))


if __name__ == "__main__":
    main()
