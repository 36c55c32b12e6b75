"""What another agent was handed out is nobody else's business, be it an echo or not."""

from __future__ import annotations

import pytest

from tests.surfaces.clients import Caller
from tests.surfaces.institutional.reports import auto_capture
from tests.unit.registry.samples import skill_text

KNOWN = "Already Known, Not Captured"
STORY = (
    "The nightly import was broken for days and nobody had an idea why. Finally got it working "
    "after hours of debugging: the loader read dates in local time, so the fix was to parse them "
    "as UTC. It works now and the report is good."
)


@pytest.mark.requirement("institutional.auto-capture.echo-of-ones-own")
def test_a_guess_at_anothers_private_skill_is_answered_as_if_there_were_none(
    alice: Caller, bob: Caller
) -> None:
    """Alice reads what only she may read; then bob tries out whether it says what he thinks."""
    given = {"skill_md_content": skill_text("Import", body=STORY), "visibility": "private"}
    alice.call("kp_contribute_skill", **given)
    before = auto_capture(bob, STORY, threshold=0.2, auto_save=False).text
    assert len(alice.ask("kp_search_skill", query="import", min_quality=0).content) == 1
    assert "returned by this server" in auto_capture(alice, STORY, threshold=0.2).section(KNOWN)
    assert auto_capture(bob, STORY, threshold=0.2, auto_save=False).text == before
