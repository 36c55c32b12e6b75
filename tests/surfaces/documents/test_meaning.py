"""Search by meaning with the model inside the package: the contract's examples and advice."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from commonplace.model.source import SourceScope
from tests.reading.hostile import FIXTURES
from tests.surfaces.conftest import OpenPremises
from tests.surfaces.documents.asking import SEARCH, ToolAsker
from tests.surfaces.documents.desk import SENTENCE, SPACE, WS, Desk
from tests.unit.embedding.local_endpoint import Answered, Asked, local_endpoint, vectors

CREATING = (
    "To create a new page, click the + button in the sidebar or use the keyboard shortcut "
    "Cmd/Ctrl+N..."
)
ORGANIZING = "Pages can be organized into a hierarchy by dragging them in the sidebar..."
INVITING = (
    "Invite colleagues to a document: open it, press Share, and type the addresses of the "
    "people on your team who should see the page."
)
VACATION = (
    "Vacation requests need approval by your manager. Submit the request in the portal two "
    "weeks before the first day off; the process takes three working days."
)
POLICIES = (
    f"# Policies\n\n## Expenses\n\nKeep the receipt of every train and hotel. {SENTENCE}\n\n"
    f"## Vacation\n\n{VACATION}\n\n## Passwords\n\nChange them twice a year. {SENTENCE}"
)
UNRELATED = ("The cafeteria serves soup on Tuesdays.", "Granite is an igneous rock.", SENTENCE)
SUBJECTS = {
    "Fog signal": ("The horn sounds every thirty seconds when one cannot see two miles far.",
                   "how often is the foghorn blown in mist"),
    "Provisions": ("Bread, salted fish and coffee come with the boat on Mondays.",
                   "when is food delivered"),
    "Visitors": ("Up to six guests may climb the stairs of the tower together.",
                 "how many tourists can go up at once"),
    "Lightning": ("A copper rod leads the strike of a thunderstorm into the sea.",
                  "protection of the building from thunderbolts"),
    "Wages": ("Each keeper is paid on the last Friday of the month.", "salary payment date"),
}  # fmt: skip


@pytest.mark.requirement("documents.search.example", "documents.expect.no-network")
def test_the_documented_search(library: Desk) -> None:
    """Two passages, from a system page and a workspace page; no network, key or download."""
    library.page("Creating Pages", CREATING, name="Raven Docs - Getting Started",
                 scope=SourceScope.SYSTEM)  # fmt: skip
    library.page("Page Organization", ORGANIZING, name="Raven Docs - Organizing Content")
    library.read()
    query = {"query": "How do I create a new page?", "workspaceId": WS, "spaceId": SPACE}
    answer = library.asker.call(SEARCH, **query, limit=5)
    assert answer["count"] == 2
    found = [(r["sourceName"], r["metadata"]["headings"]) for r in answer["results"]]
    assert found == [
        ("Raven Docs - Getting Started", ["Creating Pages"]),
        ("Raven Docs - Organizing Content", ["Page Organization"]),
    ]
    assert CREATING in answer["results"][0]["content"]
    assert answer["results"][0]["similarity"] > 0.7


@pytest.mark.requirement(
    "documents.search.semantic",
    "documents.search.similarity-usable",
    "documents.search.example-share",
    "documents.search.example-policies",
    "documents.search.example-parallel",
)
def test_the_documented_use_cases(library: Desk) -> None:
    library.page("Inviting", INVITING)
    library.file("policies.md", POLICIES, name="Company Policies")
    library.page("Start", "# Getting started\n\nThis guide helps you to take your first steps.")
    for number, text in enumerate(UNRELATED):
        library.page(f"Other {number}", text)
    library.read()
    shared = library.search("How do I share a page with my team?")
    assert INVITING in shared[0]["content"]
    useful = [r["content"] for r in shared if r["similarity"] > 0.7]
    assert "\n\n".join(useful) == shared[0]["content"]
    policies = library.search("vacation request approval process")
    assert VACATION in policies[0]["content"]
    assert policies[0]["metadata"]["headings"] == ["Policies", "Vacation"]
    assert policies[0]["similarity"] > 0.7
    with ThreadPoolExecutor(4) as pool:
        calls = [
            pool.submit(library.asker.call, SEARCH, workspaceId=WS, query="getting started guide")
            for _ in range(8)
        ]
    answers = [call.result() for call in calls]
    assert all(answer == answers[0] for answer in answers)
    assert answers[0]["results"][0]["sourceName"] == "Start"


@pytest.mark.requirement("documents.search.similarity-usable", "documents.retrieval.cosine")
def test_related_and_unrelated_are_apart(library: Desk) -> None:
    for title, (text, _) in SUBJECTS.items():
        library.file(f"{title}.txt", text, name=title)
    library.read()
    for title, (text, question) in SUBJECTS.items():
        results = library.search(question)
        assert results[0]["sourceName"] == title
        assert all(r["similarity"] < 0.5 for r in results[1:]), (question, results)
        same = library.search(text)[0]
        assert (same["sourceName"], same["similarity"] >= 0.95) == (title, True)
    before = library.search("when is food delivered")[0]["similarity"]
    library.page("Later", "Food is delivered by helicopter in winter.")
    library.read()
    found = {r["sourceName"]: r["similarity"] for r in library.search("when is food delivered")}
    assert found["Provisions"] == before


@pytest.mark.requirement(
    "documents.retrieval.every-chunk-embedded", "documents.retrieval.late-part"
)
def test_every_part_of_a_long_source_is_found(library: Desk) -> None:
    """Each section is as long as a chunk may be, and says what it is about in its last line."""
    filler = SENTENCE * 48
    sections = [
        f"# Part {n}\n\n{filler}\n\n{text}" for n, (text, _) in enumerate(SUBJECTS.values())
    ]
    id = library.file("long.md", "\n\n".join(sections))
    library.read()
    assert library.ready(id)["chunkCount"] == len(SUBJECTS)
    for number, (text, question) in enumerate(SUBJECTS.values()):
        (best, *_) = library.search(question)
        assert best["metadata"]["headings"] == [f"Part {number}"]
        assert best["content"].endswith(text)


@pytest.mark.requirement("documents.retrieval.specific-queries")
def test_a_specific_question_scores_higher_than_a_general_word(library: Desk) -> None:
    library.page("Vacation", VACATION)
    library.read()
    (general,) = library.search("company")
    (specific,) = library.search("how long before my vacation must I submit the request")
    assert specific["similarity"] > general["similarity"] + 0.2


@pytest.mark.requirement("documents.search.content")
def test_what_the_model_does_not_read_is_found_by_its_words(library: Desk) -> None:
    texts = {
        "年假": "员工每年享有十五天带薪年假，申请须提前两周提交给直属经理审批。",
        "报销": "报销差旅费用需要在三十天内提交发票原件和行程单。",
        "备份": "服务器每晚两点自动备份，备份保留三十天。",
        "培训": "新员工入职第一周需要完成安全培训。",
        "访客": "办公室位于三楼，前台提供访客登记服务。",
        "评审": "代码合并之前必须经过两位同事的评审。",
    }
    for name, text in texts.items():
        library.file(f"{name}.txt", text, name=name)
    library.read()
    for name, query in [("年假", "年假申请"), ("备份", "备份保留"), ("访客", "访客登记")]:
        (best,) = library.search(query, limit=1)
        assert best["sourceName"] == name


@pytest.mark.requirement("documents.search.semantic")
def test_a_multilingual_model_finds_them_by_meaning(
    open_premises: OpenPremises, inline: None
) -> None:
    """Behind an endpoint; this one knows two words in two languages."""
    meanings = (("年假", "vacation"), ("备份", "backup"))

    def embed(asked: Asked) -> Answered:
        return vectors([[float(any(w in t for w in m)) + 0.01 for m in meanings]
                        + [0.1] * 6 for t in asked.inputs])  # fmt: skip

    with local_endpoint(embed) as model:
        premises = open_premises(
            embedding_url=model.url, embedding_model="bilingual", embedding_dimension=8
        )
        desk = Desk(premises, ToolAsker(premises.caller()))
        desk.file("a.txt", "员工每年享有十五天带薪年假。", name="leave")
        desk.file("b.txt", "服务器每晚两点自动备份。", name="servers")
        desk.read()
        for query, name in (("vacation days", "leave"), ("when is the backup", "servers")):
            results = desk.search(query)
            assert results[0]["sourceName"] == name
            assert results[0]["similarity"] > 0.8 > results[1]["similarity"]


@pytest.mark.requirement("documents.retrieval.every-chunk-embedded", "documents.types.file-pdf")
@pytest.mark.parametrize("name", ["handbook.pdf", "handbook.docx", "handbook.html"])
def test_questions_about_real_files_find_the_right_section(library: Desk, name: str) -> None:
    library.file(name, (FIXTURES / name).read_bytes())
    library.file("policies.md", POLICIES)
    library.read()
    questions = {
        "how often does the horn sound in fog": "Fog signal",
        "when should the tank be filled": "Lamp oil",
        "who is this manual written for": "Handbook of the Lighthouse",
        "which command sets the interval of the bell": "Fog signal",
    }
    for question, heading in questions.items():
        found = library.search(question, limit=3)
        assert heading in [result["metadata"]["headings"][-1] for result in found], question


@pytest.mark.requirement("documents.search.similarity-described")
def test_the_description_says_what_a_similarity_means(library: Desk) -> None:
    """The words are those of benchmarks/results/passages.md; here they hold for five passages."""
    described = library.premises.caller().tools()[SEARCH].description
    assert "above 0.5 similarity is mostly right, below 0.3 hardly ever" in described
    for title, (text, _) in SUBJECTS.items():
        library.page(title, text)
    library.read()
    right = []
    for title, (_, question) in SUBJECTS.items():
        first = library.search(question)[0]
        assert first["sourceName"] == title
        right.append(first["similarity"])
    assert min(right) > 0.3, right
    for stray in ("chocolate cake recipe", "how do I reset a password", "tax on imported cars"):
        assert library.search(stray)[0]["similarity"] < 0.5, stray
