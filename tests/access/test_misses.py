"""What is answered where nothing is, and to methods that an address does not have."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from commonplace.settings import Settings
from tests.access.house import House, house

NOWHERE = [
    *("/api", "/anything", "/docs", "/register", "/authorize", "/token"),
    "/.well-known/oauth-authorization-server",
    "/.well-known/oauth-authorization-server/mcp",
    "/.well-known/openid-configuration",
]


@pytest.fixture(scope="module")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(Settings(home=tmp_path_factory.mktemp("embedded"), worker=False)) as opened:
        yield opened


@pytest.mark.parametrize("path", NOWHERE)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_nothing_is_said_to_be_there_where_nothing_is(
    embedded: House, path: str, method: str
) -> None:
    """In the words of OAuth: clients that look for it read the answer as its error."""
    for token in (None, embedded.token()):
        answer = embedded.send(method, path, token, content=b"{}")
        assert (answer.status_code, answer.json()["error"]) == (404, "not_found")
        assert "www-authenticate" not in answer.headers
    page = embedded.get(path, headers={"accept": "text/html"})
    assert (page.status_code, "Nothing is at this address" in page.text) == (404, True)


def test_what_rest_does_not_have_is_refused_in_its_format(embedded: House) -> None:
    token = embedded.token()
    nowhere = embedded.get("/api/nothing", token)
    assert (nowhere.status_code, nowhere.json()["error"]["code"]) == (404, "knowledge.not_found")
    answer = embedded.send("PUT", "/api/sources", token, content=b"{}")
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET, HEAD, POST")
    assert answer.json()["error"] == {
        "code": "validation.invalid_argument",
        "message": "PUT is not possible at this address, only GET, HEAD, POST.",
    }
    rpc = embedded.send("PUT", "/rpc", token, content=b"{}")
    assert (rpc.status_code, rpc.headers["allow"]) == (405, "POST")
