"""SKILL.md: what is read from its front matter, and every fault with its place."""

from __future__ import annotations

import pytest

from commonplace.errors import ContentRefused, InvalidArgument
from commonplace.model.entry import Visibility
from commonplace.registry.contribution import lineage, ready_skill, wider
from commonplace.registry.front_matter import MAX_NODES
from commonplace.registry.quality import skill_quality
from commonplace.registry.skill import MAX_CHARS, Skill, parse_skill
from commonplace.text.markdown import shape_of, without_code, without_comments
from tests.unit.registry.samples import skill_text, thorough_skill


def faults(text: str) -> dict[tuple[str | int, ...], str]:
    with pytest.raises(InvalidArgument) as refused:
        parse_skill(text)
    assert refused.value.field == "skill_md_content"
    return {issue.path: issue.message for issue in refused.value.issues}


def with_front(front: str) -> Skill:
    return parse_skill(skill_text(front_matter=front))


def test_everything_that_a_skill_may_say() -> None:
    skill = with_front(
        "version: 1.10\nauthor: ann\nlicense: MIT\ntags: [Go, 'two words', Go]\n"
        "allowed-tools: Read, Bash(git log:*) Grep\nhomepage: {x: [1, 2]}\n"
        "kp:\n  domain: Ops\n  visibility: org\n  quality_threshold: 0.5\n  knowledge_capture: true"
    )
    assert (skill.name, skill.version, skill.author, skill.license) == (
        "Code Review Checklist",
        "1.10",
        "ann",
        "MIT",
    )
    assert skill.tags == ("Go", "two words")
    assert skill.allowed_tools == ("Read", "Bash(git log:*)", "Grep")
    assert (skill.domain, skill.visibility) == ("Ops", Visibility.ORG)


def test_only_name_description_and_a_body_are_needed() -> None:
    skill = parse_skill("---\nname: a\ndescription: b\n---\nDo it.\n")
    assert skill == Skill("a", "b", "---\nname: a\ndescription: b\n---\n", "Do it.\n")
    assert skill.text == "---\nname: a\ndescription: b\n---\nDo it.\n"


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_line_endings_are_kept(ending: str) -> None:
    text = skill_text().replace("\n", ending)
    assert parse_skill(text).text == text


def test_several_lines_and_quotes_are_yaml() -> None:
    skill = parse_skill('---\nname: "a: b"\ndescription: >\n  one\n  two\ntags: x, y z\n---\nDo.')
    assert (skill.name, skill.description, skill.tags) == ("a: b", "one two", ("x", "y z"))


@pytest.mark.parametrize(
    "text", ["", "# Title", "---\nname: a", " ---\nname: a\n---\n", "----\nname: a\n----\nx"]
)
def test_a_file_without_front_matter_is_refused(text: str) -> None:
    assert "must start with front matter" in faults(text)[()]


def test_broken_yaml_is_refused_with_its_line() -> None:
    told = faults("---\nname: a\ndescription: use: this\n---\nx")[()]
    assert "not valid YAML (line 3)" in told
    assert "quotes" in told


@pytest.mark.parametrize(
    ("front", "path"),
    [
        ("author: [a, b]", ("author",)),
        ("tags: {a: b}", ("tags",)),
        ("tags: [a, [b]]", ("tags", 1)),
        ("kp: yes", ("kp",)),
        ("kp: {visibility: public}", ("kp", "visibility")),
        ("kp: {quality_threshold: 2}", ("kp", "quality_threshold")),
        ("kp: {quality_threshold: much}", ("kp", "quality_threshold")),
        ("kp: {privacy_level: none}", ("kp", "privacy_level")),
        ("kp: {reward_eligible: maybe}", ("kp", "reward_eligible")),
        ("version: " + "9" * 300, ("version",)),
    ],
)
def test_a_wrong_value_is_named_by_its_path(front: str, path: tuple[str | int, ...]) -> None:
    assert list(faults(skill_text(front_matter=front))) == [path]


def test_all_faults_are_told_at_once() -> None:
    found = faults("---\nname: ''\nkp: {visibility: all}\n---\n \n")
    assert set(found) == {("name",), ("description",), ("kp", "visibility"), ("body",)}


@pytest.mark.parametrize("front", ["[a, b]", "just text", "? [a]\n: b", ""])
def test_front_matter_must_be_a_mapping(front: str) -> None:
    assert faults(f"---\n{front}\n---\nx")


def test_too_much_is_refused() -> None:
    assert "at most" in faults_message(skill_text(body="x" * MAX_CHARS))
    many = "\n".join(f"k{n}: v" for n in range(MAX_NODES))
    assert "values" in faults_message(skill_text(front_matter=many))


def faults_message(text: str) -> str:
    with pytest.raises(InvalidArgument) as refused:
        parse_skill(text)
    return refused.value.message


def test_text_is_normalised_and_unseen_characters_are_refused() -> None:
    assert ready_skill(skill_text(name="Cafe\u0301")).skill.name == "Café"
    with pytest.raises(ContentRefused, match=r"U\+200B, in line 5") as refused:
        ready_skill(skill_text(body="one\u200b"))
    assert refused.value.code == "safety.refused"
    with pytest.raises(InvalidArgument, match="NUL"):
        ready_skill(skill_text(body="one\0"))


def test_comments_go_and_code_stays() -> None:
    text = "a <!-- b --> c `<!-- d -->`\n```\n<!-- e -->\n```\n<!-- f"
    stripped = without_comments(text)
    assert stripped.text == "a  c `<!-- d -->`\n```\n<!-- e -->\n```\n"
    assert stripped.comments == (" b ", " f")
    assert without_comments("<!-<!-- x -->- y -->").text == "<!- - y -->"
    assert without_code("a `b` c\n```\nd\n```\n") == "a  c\n\n"


def test_the_shape_of_instructions() -> None:
    shape = shape_of("# One\nTwo three\n- four\n2. five\n```\nsix\n```\n")
    assert (shape.sections, shape.steps, shape.words) == (1, 3, 7)


def test_quality_grows_with_what_helps_a_reader() -> None:
    bare = skill_quality(parse_skill("---\nname: a\ndescription: b\n---\nx"))
    plain = skill_quality(parse_skill(skill_text()))
    thorough = skill_quality(parse_skill(thorough_skill()))
    assert 0.5 <= bare < 0.6 < plain < thorough <= 1
    assert plain >= 0.7, "a fresh skill of ordinary quality passes the default filter"
    long = skill_quality(parse_skill(thorough_skill(body="# A\n\n# B\n\n" + "- do it\n" * 100)))
    assert long == 1.0


def test_versions_share_name_author_and_agent() -> None:
    one, other = parse_skill(skill_text("Review")), parse_skill(skill_text("REVIEW "))
    assert lineage(one, "ann") == lineage(other, "ann")
    assert lineage(one, "ann") != lineage(one, "ben")
    assert lineage(one, "ann") != lineage(with_front("author: x"), "ann")
    assert wider(Visibility.NETWORK, Visibility.ORG)
    assert not wider(Visibility.ORG, Visibility.ORG)


def test_the_same_name_by_another_author_is_another_skill() -> None:
    ann, ben = with_front("author: ann"), with_front("author: ben")
    assert lineage(ann, "agent") == lineage(with_front("author: Ann\nversion: 2"), "agent")
    assert lineage(ann, "agent") != lineage(ben, "agent")
