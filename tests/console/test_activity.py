"""What agents asked over MCP, as a person sees it: what they got, what they missed, how fast."""

from __future__ import annotations

from collections.abc import Callable

from commonplace.model.actor import Scope
from tests.console.library import ONE_LIBRARY, PERSON, Library, Reader
from tests.loopback import send
from tests.transports.wire import MODERN, envelope, request
from tests.waiting import patiently

Read = Callable[..., Reader]


def call(library: Library, tool: str, **arguments: object) -> str:
    """As an agent does: one request over HTTP."""
    headers = {
        "accept": "application/json, text/event-stream",
        "mcp-protocol-version": MODERN,
        "mcp-method": "tools/call",
        "mcp-name": tool,
    }
    if library.given:
        headers["authorization"] = f"Bearer {library.token(agent='deckhand')}"
    meta = envelope("deckhand")
    message = request("tools/call", name=tool, arguments=arguments, _meta=meta)
    answer = send("POST", library.server.endpoint, json=message, headers=headers)
    assert answer.status_code == 200, answer.text
    return answer.text


def written(library: Library, count: int) -> None:
    """The server writes down what was asked a moment later."""
    for _ in patiently():
        if len(library.application.activity.questions(PERSON, 50)) >= count:
            return
    raise AssertionError("what was asked is not written")


def test_what_agents_asked_got_and_missed(library: Library, read: Read) -> None:
    note = library.note("Hull paint", "The hull is painted red with lead paint every spring.")
    library.settle()
    assert "Hull paint" in call(library, "recall", question="how is the hull painted in spring")
    attack = "<img src=x onerror=window.hit=1> who mends the sails"
    for _ in range(2):
        call(library, "search_knowledge", query=attack, tags=["none"])
    written(library, 3)
    reader = read()
    reader.goto("/activity")
    figures = reader.page.locator(".figures").inner_text()
    assert "67 %" in figures
    assert "2 of 3" in figures
    assert reader.page.locator(".plot .bar").count() == 1
    assert reader.page.locator(".plot circle").count() == 2
    open_one = reader.page.locator(".asked li").first
    assert "who mends the sails" in open_one.inner_text()
    assert "2 times" in open_one.inner_text()
    assert reader.page.evaluate("window.hit") is None
    for name in ("7 days", "30 days"):
        reader.follow(name)
        assert "2 of 3" in reader.page.locator(".figures").inner_text()
    open_one = reader.page.locator(".asked li").first
    open_one.get_by_role("link", name="Write it down").click()
    assert "who mends the sails" in reader.page.get_by_label("Title").input_value()
    reader.goto("/activity/questions")
    assert reader.page.locator("[data-row]").count() == 3
    reader.page.get_by_text("Results given").click()
    reader.follow("Hull paint")
    reader.page.get_by_role("heading", name="Hull paint").wait_for()
    assert "1 time" in reader.page.get_by_label("About this entry").inner_text()
    reader.goto("/activity/questions?outcome=nothing")
    assert reader.page.locator("[data-row]").count() == 2
    reader.goto("/")
    reader.sees("Asked but not found")
    reader.page.locator(f".start a[href='/knowledge/{note.id}']").wait_for()
    assert reader.goto("/activity?period=century") == 400
    assert reader.goto("/activity/questions/999999") == 404


@ONE_LIBRARY
def test_what_was_asked_is_for_auditors(library: Library, read: Read) -> None:
    reader = read(signed_in=False)
    reader.goto("/login")
    reader.fill("Token", library.token(frozenset({Scope.READ})))
    reader.press("Sign in")
    reader.goto("/activity")
    reader.sees("For auditors")
    assert reader.page.get_by_role("link", name="Questions").count() == 0
    assert reader.goto("/activity/questions") == 403
    assert reader.goto("/activity/questions/1") == 403
    assert reader.goto("/activity/audit") == 403
    assert reader.goto("/activity/health") == 200
