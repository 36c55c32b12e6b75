"""What a code_map query asks, and of which symbol."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.codegraph.answering.question import Intent, read_question


@pytest.mark.parametrize(
    ("query", "intent", "target"),
    [
        ("definition of HttpClientBuilder", Intent.DEFINITION, "HttpClientBuilder"),
        ("where is ConnectionPool defined", Intent.DEFINITION, "ConnectionPool"),
        ("Where is the class ConnectionPool defined?", Intent.DEFINITION, "ConnectionPool"),
        ("references to Future", Intent.REFERENCE, "Future"),
        ("where do we use RequestContext", Intent.REFERENCE, "RequestContext"),
        ("who uses `Cache.get()`?", Intent.REFERENCE, "Cache.get"),
        ("callers of parseConfig", Intent.CALLER, "parseConfig"),
        ("show me all callers of parseConfig()", Intent.CALLER, "parseConfig"),
        ("who calls normalizeRequest", Intent.CALLER, "normalizeRequest"),
        ("what calls com.acme.Cache#get", Intent.CALLER, "com.acme.Cache#get"),
        ("imports of HttpClientOptions", Intent.IMPORT, "HttpClientOptions"),
        ("exports ConnectionPool", Intent.EXPORT, "ConnectionPool"),
        ("tests for CacheManager", Intent.TEST, "CacheManager"),
        ("where is retryPolicy tested", Intent.TEST, "retryPolicy"),
        ("unit tests for CacheManager", Intent.TEST, "CacheManager"),
        ("how is parseConfig used?", Intent.REFERENCE, "parseConfig"),
        ("files importing HttpClientOptions", Intent.IMPORT, "HttpClientOptions"),
        ("functions that call parseConfig", Intent.CALLER, "parseConfig"),
        ("find code using com.acme.Cache#get", Intent.REFERENCE, "com.acme.Cache#get"),
        ("docs for deployment runbooks", Intent.DOC, "deployment runbooks"),
        ("documentation for release checklist", Intent.DOC, "release checklist"),
        ("Cache.get", Intent.DEFINITION, "Cache.get"),
        ("std::vector", Intent.DEFINITION, "std::vector"),
        ("how does the retry of failed payments work", Intent.UNKNOWN, None),
        ("payments", Intent.UNKNOWN, None),
        ("parseConfig 的定义", Intent.UNKNOWN, None),
        ("wo ist PaymentRetryPolicy definiert", Intent.UNKNOWN, None),
        ("", Intent.UNKNOWN, None),
    ],
)
def test_a_query_has_an_intent_and_a_target(query: str, intent: Intent, target: str | None) -> None:
    question = read_question(query)
    assert (question.intent, question.target) == (intent, target)


@pytest.mark.parametrize(
    ("target", "parts"),
    [
        ("com.acme.Cache#get", ("com", "acme", "Cache", "get")),
        ("Cache/get", ("Cache", "get")),
        ("Cache.#get", ("Cache", "#get")),
        ("#get", ("#get",)),
        ("a::b", ("a", "b")),
    ],
)
def test_a_target_is_a_name_path(target: str, parts: tuple[str, ...]) -> None:
    assert read_question(f"callers of {target}").parts == parts


@given(st.text())
def test_any_text_is_read(query: str) -> None:
    question = read_question(query)
    assert (question.target is None) is (question.intent is Intent.UNKNOWN)
