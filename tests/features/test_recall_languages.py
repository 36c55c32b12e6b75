"""Recall in languages that the bundled model reads a little or not at all, on both stores."""

from __future__ import annotations

import pytest

from commonplace.embedding.bundled import BundledEmbedder
from commonplace.model.call import PLAIN_CALL
from commonplace.model.entry import EntryContent, EntryKind
from commonplace.recall.service.recall import RecallService
from commonplace.recall.values import Recalled, RecallRequest, Verdict
from commonplace.storage.port import Store
from tests.features.house import House
from tests.generate import ALICE
from tests.stores import SteppingClock

NOTES = {
    "n-bills": "Wir haben beschlossen, dass die Rechnungen nachts um drei Uhr verschickt werden.",
    "n-base": "Nous utilisons PostgreSQL pour la base de données parce que les verrous "
    "consultatifs nous sont nécessaires.",
    "n-keys": "Ключи доступа хранятся в хранилище секретов и обновляются каждые девяносто дней.",
    "n-queue": "我们决定使用消息队列来处理订单，因为同步调用太慢。",
    "n-deploy": "デプロイは毎週火曜日の午前中に行い、ロールバックの手順は運用チームが管理する。",
    "n-old": "Invoices older than ten years are deleted by the cleanup job on Sundays.",
}


@pytest.fixture(scope="module")
def model() -> BundledEmbedder:
    return BundledEmbedder()


@pytest.fixture
def house(store: Store, clock: SteppingClock, model: BundledEmbedder) -> House:
    house = House(store, model, clock)
    for id, text in NOTES.items():
        house.add(id, title=text[:16], body=text)
    house.embed()
    return house


def recall(house: House, question: str) -> Recalled:
    return RecallService(house.retrieval).recall(ALICE, RecallRequest(question))


def first_of(answer: Recalled) -> str | None:
    return answer.hits[0].reference.removeprefix("note:") if answer.hits else None


@pytest.mark.parametrize(
    ("question", "note"),
    [
        ("Wann werden die Rechnungen verschickt?", "n-bills"),
        ("Quelle base de données utilisons-nous ?", "n-base"),
        ("Где хранят ключ доступа?", "n-keys"),
        ("为什么使用消息队列？", "n-queue"),
        ("ロールバックの手順は誰が管理しますか？", "n-deploy"),
    ],
)
def test_a_note_answers_in_its_language(house: House, question: str, note: str) -> None:
    answer = recall(house, question)
    assert (answer.verdict, first_of(answer)) == (Verdict.ANSWERS, note)


@pytest.mark.parametrize(
    "question",
    [
        "Какая завтра погода?",
        "Как научиться играть на гитаре?",
        "明天天气怎么样？",
        "明日の天気を教えて",
        "Wie heißt der Hund des Nachbarn?",
    ],
)
def test_a_foreign_question_in_another_language_is_told_so(house: House, question: str) -> None:
    assert recall(house, question).verdict is Verdict.NOTHING


def test_a_home_whose_words_are_not_counted_yet_is_not_empty(
    store: Store, clock: SteppingClock, model: BundledEmbedder
) -> None:
    house = House(store, model, clock)
    assert recall(house, "Какая завтра погода?").nothing_stored
    content = EntryContent(title="Ключи", body=NOTES["n-keys"])
    prepared = house.knowledge.prepare(ALICE, EntryKind.NOTE, content)
    house.knowledge.add_prepared(ALICE, prepared, lambda _: "n-keys", PLAIN_CALL)
    assert not recall(house, "Какая завтра погода?").nothing_stored


def test_the_inflected_words_of_a_russian_question_are_those_of_the_note(house: House) -> None:
    answer = recall(house, "обновление ключами доступа")
    assert first_of(answer) == "n-keys"
    assert "lexical" in {part.name for part in answer.hits[0].parts}
