"""What is remembered can be put right by those who may, and every change can be taken back."""

from __future__ import annotations

import re

import pytest

from commonplace.model.capture import ReviewStatus
from commonplace.model.entry import EntryKind
from commonplace.model.references import of_document, of_entry
from tests.surfaces.clients import Caller
from tests.surfaces.memory.home import Home, references_in

REVISE = "revise"


def note(id: str) -> str:
    return str(of_entry(EntryKind.NOTE, id))


def revise(caller: Caller, reference: str, action: str, **given: object) -> str:
    return caller.text(REVISE, reference=reference, action=action, **given)


@pytest.mark.requirement("memory.revise.correct")
def test_a_correction_keeps_the_history_and_can_be_taken_back(home: Home) -> None:
    reference = note(home.note("Ids", "Use version 4."))
    assert "revision 2" in revise(home.alice, reference, "correct", text="Use version 7.")
    assert "Use version 7." in home.open(reference)
    assert "2 edit text by alice" in home.open(reference, history=True)
    revise(home.alice, reference, "restore")
    assert "Use version 4." in home.open(reference)
    revise(home.alice, reference, "correct", title="Keys")
    assert "Keys" in home.open(reference)
    revise(home.alice, reference, "restore", revision=2)
    assert "Use version 7." in home.open(reference)


@pytest.mark.requirement("memory.revise.title")
def test_a_title_that_was_made_of_the_text_is_made_anew(home: Home) -> None:
    told = home.alice.text("remember", text="The build takes nine minutes.")
    reference = references_in(told)[0]
    revise(home.alice, reference, "correct", text="The build takes ten minutes.")
    assert "nine" not in home.open(reference)
    named = note(home.note("Build", "It takes nine minutes."))
    revise(home.alice, named, "correct", text="It takes ten minutes.")
    assert "note · Build" in home.open(named)


@pytest.mark.requirement("memory.revise.correct")
def test_every_kind_that_is_written_here_can_be_corrected(home: Home) -> None:
    item = home.item()
    revise(home.alice, item, "correct", text="Alone.")
    assert "Alone." in home.open(item)
    made = home.notebook()
    book = f"notebook:{made['entry']['id'].removeprefix('entry_')}"
    inner = home.open(book).split("[")[1].split()[0]
    revise(home.alice, inner, "correct", text="Waits for a lock.")
    assert "Waits for a lock." in home.open(book)
    error = home.alice.refusal(REVISE, reference=home.skill(), action="correct", text="x")
    assert "kp_contribute_skill" in error["message"]


@pytest.mark.requirement("memory.revise.retag")
def test_tags_are_replaced(home: Home) -> None:
    reference = note(home.note(tags=["a"]))
    revise(home.alice, reference, "retag", tags=["B", "c"])
    assert "tags b, c" in home.open(reference)
    revise(home.alice, reference, "restore")
    assert "tags a" in home.open(reference)


@pytest.mark.requirement("memory.revise.supersede")
@pytest.mark.parametrize("action", ["supersede", "merge"])
def test_one_takes_the_place_of_the_other(home: Home, action: str) -> None:
    old, new = note(home.note("Old", tags=["x"])), note(home.note("New", tags=["y"]))
    assert f"superseded by {new} New" in revise(home.alice, old, action, by=new)
    assert f"! superseded by {new}" in home.open(old)
    tags = "tags y, x" if action == "merge" else "tags y"
    assert tags in home.open(new)
    revise(home.alice, old, "restore")
    assert "superseded" not in home.open(old)
    error = home.alice.refusal(REVISE, reference=old, action=action, by=home.item())
    assert "another kind" in error["message"]


@pytest.mark.requirement("memory.revise.supersede")
def test_a_merge_says_how_to_take_back_the_tags_and_gives_none_if_it_fails(home: Home) -> None:
    old, new = note(home.note("Old", tags=["x"])), note(home.note("New", tags=["y"]))
    other = note(home.note("Other"))
    assert f"revise {new} restore" in revise(home.alice, old, "merge", by=new)
    revise(home.alice, new, "restore")
    assert "tags y\n" in home.open(new)
    assert home.alice.refusal(REVISE, reference=old, action="merge", by=other)
    assert "tags" not in home.open(other)


@pytest.mark.requirement("memory.revise.expire")
def test_something_stops_being_true_now_or_later(home: Home) -> None:
    reference = note(home.note("Freeze", "No deploys."))
    revise(home.alice, reference, "expire", expires="2100-01-01")
    assert "! expires 2100-01-01" in home.open(reference)
    revise(home.alice, reference, "expire")
    assert "! expired" in home.open(reference)
    assert home.alice.call("search_knowledge", query="deploys")["count"] == 0
    revise(home.alice, reference, "restore")
    assert home.alice.call("search_knowledge", query="deploys")["count"] == 1


@pytest.mark.requirement("memory.revise.forget")
def test_what_is_forgotten_is_brought_back(home: Home) -> None:
    document = str(of_document(home.page("Manual", "# Lamp\n\nRefill at dusk.\n")))
    for reference in (note(home.note()), f"item:{home.item()}", document):
        assert "forgotten" in revise(home.alice, reference, "forget")
        missing = home.alice.refusal("open", reference=reference)
        assert "restore" in missing["hint"]
        assert "restored" in revise(home.alice, reference, "restore")
        assert home.open(reference)


@pytest.mark.requirement("memory.revise.forget")
def test_forgetting_a_replacement_says_how_the_replaced_one_comes_back(home: Home) -> None:
    old = note(home.note())
    told = home.alice.text("remember", text="Use version 8.", replaces=old)
    new = next(one for one in references_in(told) if one != old)
    assert "recall still shows" in revise(home.alice, old, "correct", text="Use version 6.")
    revise(home.alice, old, "restore")
    assert f"revise {old} restore" in revise(home.alice, new, "forget")
    revise(home.alice, old, "restore", revision=1)
    assert home.alice.call("search_knowledge", query="version")["count"] == 1


@pytest.mark.requirement("memory.revise.rights")
def test_a_change_that_only_the_author_can_take_back_says_so(home: Home, bob: Caller) -> None:
    reference = note(home.note())
    told = revise(bob, reference, "misled")
    assert "Its author alice can take it back by restore." in told
    assert bob.refusal(REVISE, reference=reference, action="restore")["code"] == "auth.not_owner"
    assert "restored" in revise(home.alice, reference, "restore")


@pytest.mark.requirement("memory.revise.trust")
def test_readers_move_the_trust_and_each_has_one_voice(home: Home, bob: Caller) -> None:
    reference = note(home.note())
    assert "trust 0.80 -> 0.64" in revise(bob, reference, "misled")
    assert "trust 0.64" in home.open(reference)
    assert "trust 0.64 -> 0.84" in revise(bob, reference, "helped")
    assert "trust 0.84 -> 0.87" in revise(home.alice, reference, "helped")
    assert "trust stays 0.87" in revise(home.alice, reference, "helped")
    assert "edit trust by bob" in home.open(reference, history=True)
    assert "verdict" in revise(bob, home.unit(), "helped")


@pytest.mark.requirement("memory.revise.trust")
@pytest.mark.requirement("memory.revise.decision")
def test_a_moment_that_waits_is_kept_or_rejected(home: Home) -> None:
    text = (
        "The build kept failing for hours and I was stuck. Finally solved it: the fix was to "
        "restart the harvester before the import. It works now!"
    )
    options = {"auto_save": False, "threshold": 0.2, "preset": "aggressive"}
    home.alice.text("auto_capture", text=text, **options)
    (waiting,), _ = home.application.reviewing.reviews(home.actor(), ReviewStatus.WAITING, 5)
    reference = f"review:{waiting.id}"
    assert "harvester" in home.open(reference)
    told = revise(home.alice, reference, "helped")
    assert f"revise {reference} restore takes it back" in told
    kept = re.search(r"kept as (item:[\w-]+)", told)
    assert kept
    assert "harvester" in home.open(kept[1])
    for decision in ("helped", "misled"):
        if decision == "misled":
            revise(home.alice, reference, decision)
            assert home.alice.refusal("open", reference=reference)["code"] == "knowledge.not_found"
        assert "waits for review again" in revise(home.alice, reference, "restore")
        assert "moment, waiting" in home.open(reference)
    assert home.alice.refusal("open", reference=kept[1])["code"] == "knowledge.not_found"


@pytest.mark.requirement("memory.revise.rights")
def test_what_is_anothers_is_changed_by_those_who_may(home: Home, bob: Caller, eve: Caller) -> None:
    reference = note(home.note())
    for action, given in (("correct", {"text": "Mine."}), ("forget", {}), ("retag", {"tags": []})):
        error = bob.refusal(REVISE, reference=reference, action=action, **given)
        assert error["code"] == "auth.not_owner"
        assert "replaces" in error["hint"]
        assert eve.refusal(REVISE, reference=reference, action=action, **given)["code"] == (
            "knowledge.not_found"
        )
    entrusted = home.premises.caller("bob", scopes="knowledge:write,knowledge:write_others")
    revise(entrusted, reference, "correct", text="Better.")
    assert "Better." in home.open(reference)


@pytest.mark.requirement("memory.revise.arguments")
@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"action": "retag"}, "tags"),
        ({"action": "supersede"}, "by"),
        ({"action": "correct"}, "text or title"),
        ({"action": "burn"}, "correct"),
        ({"action": "restore"}, "no earlier revision"),
        ({"action": "restore", "revision": 9}, "revision"),
        ({"action": "helped", "reference": "file:shop/src/cart.py"}, "remember keeps a note"),
    ],
)
def test_what_makes_no_sense_is_refused(home: Home, given: dict[str, object], told: str) -> None:
    error = home.alice.refusal(REVISE, **{"reference": note(home.note()), **given})
    assert told in error["message"]


@pytest.mark.requirement("memory.revise.trust")
def test_a_reader_who_turns_for_ever_fills_nobodys_history(home: Home, bob: Caller) -> None:
    reference = note(home.note())
    for action in ("helped", "misled", "helped", "misled"):
        revise(bob, reference, action)
    error = bob.refusal(REVISE, reference=reference, action="helped")
    assert "changed your mind" in error["message"]
    assert "trust" in revise(bob, reference, "misled"), "what was said already is no change"
    assert home.open(reference, history=True).count("edit trust by bob") == 4
    assert "->" in revise(home.alice, reference, "helped"), "others still have a voice"


@pytest.mark.requirement("memory.revise.forget")
@pytest.mark.parametrize(
    ("action", "given"),
    [("helped", {}), ("correct", {"text": "Better."}), ("expire", {}), ("forget", {})],
)
def test_what_was_forgotten_says_how_it_comes_back(
    home: Home, action: str, given: dict[str, object]
) -> None:
    reference, other = note(home.note("Gone")), note(home.note("Here"))
    revise(home.alice, reference, "forget")
    error = home.alice.refusal(REVISE, reference=reference, action=action, **given)
    assert error["message"] == f"{reference} was forgotten."
    assert f"revise {reference} restore" in error["hint"]
    error = home.alice.refusal(REVISE, reference=other, action="supersede", by=reference)
    assert f"revise {reference} restore" in error["hint"]


@pytest.mark.requirement("memory.revise.unchanged")
@pytest.mark.parametrize(
    ("action", "given"),
    [
        ("correct", {"text": "Use version 7."}),
        ("retag", {"tags": ["B", "c"]}),
        ("expire", {"expires": "2099-01-01"}),
        ("helped", {}),
    ],
)
def test_what_is_so_already_makes_no_revision_and_promises_no_way_back(
    home: Home, action: str, given: dict[str, object]
) -> None:
    reference = note(home.note("Ids", "Use version 4."))
    assert "takes it back" in revise(home.alice, reference, action, **given)
    before = home.open(reference, history=True)
    assert "takes it back" not in revise(home.alice, reference, action, **given)
    assert home.open(reference, history=True) == before
