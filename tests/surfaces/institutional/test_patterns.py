"""The patterns behind auto_detect: which phrases they know, and what changes their confidence."""

from __future__ import annotations

from typing import Any

import pytest

from tests.stores import ONE_STORE
from tests.surfaces.clients import Caller
from tests.surfaces.institutional.steps import CONFIDENCE, DETECT, data

pytestmark = ONE_STORE

# Of each pattern: the type that it suggests, and its confidence where nothing around changes it.
PATTERNS = {
    "finally-working": ("win", 0.85),
    "breakthrough": ("win", 0.80),
    "performance-win": ("win", 0.75),
    "success-indicator": ("win", 0.70),
    "bug-found": ("troubleshooting", 0.85),
    "frustration": ("troubleshooting", 0.70),
    "error-pattern": ("troubleshooting", 0.50),
    "edge-case": ("gotcha", 0.75),
    "solution-statement": ("solution", 0.80),
    "implementation": ("solution", 0.65),
    "approach": ("pattern", 0.60),
    "warning": ("gotcha", 0.75),
    "counter-intuitive": ("gotcha", 0.80),
    "lesson-learned": ("gotcha", 0.85),
    "documentation-gap": ("gotcha", 0.70),
}
# The first text of each has nothing around that would change the confidence.
PHRASES = {
    "finally-working": [
        "The login page is working now",
        "It is finally working here",
        "With one restart it works again",
        "Nobody else could make it work",
        "We got it working on Monday",
        "We fixed it on Monday",
        "The login is finally fixed",
    ],
    "breakthrough": [
        "We solved the slow login",
        "Monday brought a breakthrough",
        "We cracked it on Monday",
        "We figured it out on Monday",
        "We found the solution on Monday",
        "Eureka, said the tester",
        "On Monday it clicked for me",
        "On Monday the idea clicked",
    ],
    "performance-win": [
        "The query is 10x faster than before",
        "The query is 10 faster than before",
        "The wait was reduced by 40% on Monday",
        "The rate improved by 25% on Monday",
        "We optimized the query plan",
        "An index improved performance",
        "Two indexes speed up the list",
        "In this release latency reduced to ten",
    ],
    "success-indicator": [
        "The deploy was successful on Monday",
        "The release went out successfully",
        "The plan is perfect for us",
        "This is exactly what I needed",
        "The patch works like a charm",
        "Both patches work like a charm",
    ],
    "bug-found": [
        "The root cause sits in the parser",
        "On Monday I found the bug",
        "The bug was in the parser",
        "The issue is the time zone",
        "One problem was the time zone",
    ],
    "frustration": [
        "I am stuck on the login page",
        "The release is blocked by a review",
        "I can't figure out the flags",
        "The parser is driving me crazy",
        "We wasted 3 hours on the flags",
        "I have no idea about the flags",
        "Why is this happening to us",
    ],
    "error-pattern": [
        "The build shows a failure in parser tests",
        "Line ten has an error",
        "The parser throws an exception",
        "The import failed on Monday",
        "There was a crash on Monday",
        "The parser is broken again",
        "The parser is not working",
        "The parser doesn't work",
    ],
    "edge-case": [
        "There is a race condition in the cache",
        "Leap years are an edge case",
        "Leap years are a corner case",
        "The timeout is intermittent",
        "This test is flaky on Monday",
        "Imports sometimes fail on Monday",
        "An import sometimes fails on Monday",
    ],
    "solution-statement": [
        "The solution was to clear the cache",
        "The solution is to clear the cache",
        "The fix was a restart of it all",
        "The fix is a restart of it all",
        "The answer was a restart",
        "The answer is a restart",
        "To fix this, restart the agent",
        "To fix it, restart the agent",
        "Here's how to fix the agent",
        "The problem was the time zone",
    ],
    "implementation": [
        "We implemented a new feature for exports",
        "We implemented a function for exports",
        "We added method names to exports",
        "We created a new class for exports",
        "We built new feature flags for exports",
        "We developed a function for exports",
    ],
    "approach": [
        "The approach uses two queues per tenant",
        "The strategy needs two queues",
        "The method takes two arguments",
        "The technique needs two queues",
        "There is one way to do that",
        "There is one way to solve that",
        "There is one way to fix that",
    ],
    "warning": [
        "Be careful with the cache headers",
        "Watch out for the cache headers",
        "Don't forget the cache headers",
        "Don't use the cache headers",
        "Don't do that with headers",
        "The header comes with a warning",
        "Headers call for caution",
        "An important note on headers",
        "Remember to send the headers",
    ],
    "counter-intuitive": [
        "The flag order is not obvious here",
        "The order is counter-intuitive",
        "The order is counterintuitive",
        "The agent unexpectedly restarts",
        "The agent surprisingly restarts",
        "The second flag is easy to miss",
        "There is a subtle difference",
    ],
    "lesson-learned": [
        "In hindsight the schema was too wide",
        "One lesson learned about schemas",
        "We know schemas the hard way",
        "The schema should have two tables",
    ],
    "documentation-gap": [
        "That option is poorly documented today",
        "That option is not documented",
        "That option is not well documented",
        "That option is unclear to us",
        "There is missing documentation",
        "That option is not mentioned",
    ],
}


def matches(caller: Caller, text: str) -> dict[str, float]:
    """The confidence of each pattern that is reported."""
    found = data(caller, DETECT, text=text)["pattern_matches"]
    return {match["pattern"]: match["confidence"] for match in found}


def overall(caller: Caller, text: str) -> float:
    factors: dict[str, Any] = data(caller, CONFIDENCE, text=text)["factors"]
    return float(factors["pattern"]["confidence"])


@pytest.mark.requirement(
    "institutional.patterns.finally-working",
    "institutional.patterns.breakthrough",
    "institutional.patterns.performance-win",
    "institutional.patterns.success-indicator",
    "institutional.patterns.bug-found",
    "institutional.patterns.frustration",
    "institutional.patterns.error-pattern",
    "institutional.patterns.edge-case",
    "institutional.patterns.solution-statement",
    "institutional.patterns.implementation",
    "institutional.patterns.approach",
    "institutional.patterns.warning",
    "institutional.patterns.counter-intuitive",
    "institutional.patterns.lesson-learned",
    "institutional.patterns.documentation-gap",
)
def test_every_phrase_of_every_pattern_is_found(alice: Caller) -> None:
    for pattern, (suggested, confidence) in PATTERNS.items():
        assert matches(alice, PHRASES[pattern][0]) == {pattern: confidence}
        for text in PHRASES[pattern]:
            found = data(alice, DETECT, text=text)["pattern_matches"]
            assert (pattern, suggested) in [(m["pattern"], m["type"]) for m in found], text


@pytest.mark.requirement("institutional.patterns.is-and-was")
def test_what_is_and_what_was_the_solution(alice: Caller) -> None:
    for thing in ("solution", "fix", "answer"):
        now, then = (f"The {thing} {verb} to clear the cache" for verb in ("is", "was"))
        assert matches(alice, now) == matches(alice, then) == {"solution-statement": 0.8}


@pytest.mark.requirement("institutional.patterns.case-and-blanks")
def test_case_and_blanks_do_not_matter(alice: Caller) -> None:
    texts = [
        "There is a Race   Condition here",
        "There is a race\ncondition here",
        "There is a race \t condition here",
        "there is a rAcE cOnDiTiOn here",
    ]
    assert [matches(alice, text) for text in texts] == [{"edge-case": 0.75}] * len(texts)


@pytest.mark.requirement("institutional.patterns.boosters")
def test_words_nearby_raise_the_confidence(alice: Caller) -> None:
    assert matches(alice, "A weird crash in the parser module") == {"error-pattern": 0.55}
    assert matches(alice, "A weird and strange crash, suddenly") == {"error-pattern": 0.65}
    assert matches(alice, "A weird, weird, weird crash in it") == {"error-pattern": 0.55}
    most = "Finally, after hours and days of debugging, got it working"
    assert matches(alice, most) == {"finally-working": 1.0}


@pytest.mark.requirement("institutional.patterns.dampers")
def test_words_nearby_lower_the_confidence(alice: Caller) -> None:
    one = matches(alice, "We fixed it but the rest is broken")
    assert one == {"finally-working": 0.75, "error-pattern": 0.5}
    two = matches(alice, "We fixed it but the rest is broken and not pretty")
    assert two["finally-working"] == 0.65
    assert matches(alice, "Still looking; the root cause sits elsewhere") == {"bug-found": 0.75}


@pytest.mark.requirement("institutional.patterns.boosters", "institutional.patterns.dampers")
def test_only_words_within_200_characters_count(alice: Caller) -> None:
    def beside(phrase: str, word: str, distance: int) -> str:
        return f"{phrase} {'x' * (distance - 2)} {word}"

    for distance, confidence in ((180, 0.55), (205, 0.5)):
        text = beside("There was a crash", "weird", distance)
        assert matches(alice, text) == {"error-pattern": confidence}
    for distance, confidence in ((180, 0.75), (205, 0.85)):
        text = beside("We fixed it", "broken", distance)
        assert matches(alice, text)["finally-working"] == confidence


@pytest.mark.requirement("institutional.patterns.upper-case")
def test_capitals_add_to_the_confidence(alice: Caller) -> None:
    assert matches(alice, "We SOLVED the slow login") == {"breakthrough": 0.85}
    assert matches(alice, "We Solved the slow login") == {"breakthrough": 0.80}


@pytest.mark.requirement("institutional.patterns.minimum")
def test_what_is_too_unsure_is_not_reported(alice: Caller) -> None:
    unsure = "We fixed it, but it is not whole, the rest is broken, the import failed"
    assert matches(alice, unsure)["finally-working"] == 0.55
    assert "finally-working" not in matches(alice, f"{unsure}, and nobody doesn't mind")
    texts = [text for known in PHRASES.values() for text in known]
    assert min(c for text in texts for c in matches(alice, text).values()) == 0.5


READS_LIKE = {
    "solution": "Raised the idle timeout of the proxy to 75 s; the dropped requests are gone.",
    "pattern": "Prefer one small table per feature instead of a shared one. Keep them separate.",
    "gotcha": "Beware: the driver silently ignores unknown keys by default, even in strict mode.",
}


@pytest.mark.requirement("institutional.patterns.all-matches")
@pytest.mark.parametrize(("suggested", "text"), READS_LIKE.items())
def test_a_moment_without_a_documented_pattern_is_reported_too(
    alice: Caller, suggested: str, text: str
) -> None:
    (match,) = data(alice, DETECT, text=text)["pattern_matches"]
    assert (match["pattern"], match["type"]) == (f"reads-like-{suggested}", suggested)
    assert 0.6 <= match["confidence"] <= 1
    shown = data(alice, DETECT, text=text)
    assert (shown["detected"], shown["suggested_type"]) == (True, suggested)
    assert overall(alice, text) == match["confidence"], "it counts like a match of a pattern"


@pytest.mark.requirement("institutional.patterns.all-matches")
def test_cues_are_silent_where_a_pattern_is_found_or_nothing_is_told(alice: Caller) -> None:
    both = f"There is a race condition here. {READS_LIKE['gotcha']}"
    assert matches(alice, both) == {"edge-case": 0.75}
    nothing = "Does anybody know how the cache is filled?"
    assert matches(alice, nothing) == {}
    assert data(alice, DETECT, text=nothing)["detected"] is False


@pytest.mark.requirement("institutional.patterns.mean", "institutional.patterns.all-matches")
def test_all_patterns_are_reported_and_count_alike(alice: Caller) -> None:
    mixed = "We fixed it but the rest is broken"
    assert matches(alice, mixed) == {"finally-working": 0.75, "error-pattern": 0.5}
    assert overall(alice, mixed) == 0.625
    documented = "Finally working! The solution was to use async/await properly."
    assert matches(alice, documented) == {"finally-working": 0.9, "solution-statement": 0.8}
    assert overall(alice, documented) == 0.85
    three = "The approach has a flaky test. Be careful."
    assert matches(alice, three) == {"approach": 0.6, "edge-case": 0.75, "warning": 0.75}
    assert overall(alice, three) == pytest.approx(0.7)
