"""The source policy as rules about paths, on every kind of machine."""

from __future__ import annotations

import pytest

from commonplace.errors import (
    CommonplaceError,
    LocatorInvalid,
    SourceSensitive,
    SourceTooBroad,
    SourceUnsupported,
)
from commonplace.workspace.projects.policy import (
    HostPaths,
    checked_shape,
    is_within,
    path_of,
    refuse_broad,
    refuse_not_allowed,
    refuse_sensitive,
    url_of,
)

PLAIN = HostPaths(home="/people/ann", temporary=("/tmp",), own_data="/people/ann/.data")


@pytest.mark.parametrize(
    ("locator", "path"),
    [
        ("/srv/shop", "/srv/shop"),
        ("file:///srv/shop/", "/srv/shop/"),
        ("file://localhost/srv/a%20b", "/srv/a b"),
        ("C:\\code\\shop", "C:/code/shop"),
        ("file:///C:/code/shop", "C:/code/shop"),
    ],
)
def test_a_locator_is_a_path(locator: str, path: str) -> None:
    assert path_of(locator) == path


def test_a_relative_path_is_refused_in_plain_words() -> None:
    with pytest.raises(LocatorInvalid, match="full path of the folder"):
        path_of("shop/src")


@pytest.mark.parametrize("path", ["/srv/shop", "/srv/a b/c#d?e%f", "/srv/ü", "C:/code/shop"])
def test_a_path_goes_through_its_url_and_back(path: str) -> None:
    assert path_of(url_of(path)) == path


def test_a_folder_is_not_within_one_whose_name_begins_alike() -> None:
    assert is_within("/srv/shop", "/srv/shop/")
    assert is_within("/srv/shop/docs", "/srv/shop")
    assert is_within("/srv", "/")
    assert not is_within("/srv/shop-old", "/srv/shop")
    assert not is_within("/srv", "/srv/shop")


@pytest.mark.parametrize(
    "path",
    ["/", "/home", "/people/ann", "/People/Ann", "/tmp", "/etc", "/etc/nginx", "/ETC",
     "/proc/1/cwd", "/Users", "C:/", "C:/Windows", "C:/Users", "/private/var"],
)  # fmt: skip
def test_broad_folders(path: str) -> None:
    with pytest.raises(SourceTooBroad):
        refuse_broad(path, PLAIN)


@pytest.mark.parametrize("path", ["/people/ann/shop", "/tmp/shop", "/srv/shop", "/usr/share/doc"])
def test_narrow_folders(path: str) -> None:
    refuse_broad(path, PLAIN)


@pytest.mark.parametrize(
    "path",
    ["/people/ann/.ssh", "/srv/.AWS/x", "/srv/.env/docs", "/srv/id_rsa",
     "/people/ann/.data/vectors", "/people/ann/.config/gcloud/x", "/Users/ann/Library/Keychains"],
)  # fmt: skip
def test_sensitive_folders(path: str) -> None:
    with pytest.raises(SourceSensitive):
        refuse_sensitive(path, PLAIN)


@pytest.mark.parametrize("path", ["/srv/shadow/src", "/srv/app/credentials", "/srv/environment"])
def test_plain_words_are_no_credentials(path: str) -> None:
    refuse_sensitive(path, PLAIN)


@pytest.mark.parametrize("around", [PLAIN, HostPaths(allowed=("/srv",))])
def test_a_server_for_many_reads_what_it_was_given(around: HostPaths) -> None:
    refuse_not_allowed("/srv/shop", around, "/etc", refuse_broad)


@pytest.mark.parametrize("allowed", [(), ("/srv/other",)])
@pytest.mark.parametrize(
    ("given", "refusal"),
    [
        ("/srv/link", LocatorInvalid),
        ("/etc", SourceTooBroad),
        ("/srv/ana/.ssh", SourceSensitive),
    ],
)
def test_of_others_it_says_what_their_names_tell(
    allowed: tuple[str, ...], given: str, refusal: type[CommonplaceError]
) -> None:
    with pytest.raises(refusal):
        refuse_not_allowed("/srv/shop", HostPaths(allowed=allowed), given, refuse_broad)


@pytest.mark.parametrize(
    "pair", [("docs", "file"), ("url", "folder"), ("agent_knowledge", "folder")]
)
def test_shapes_that_cannot_be_attached(pair: tuple[str, str]) -> None:
    with pytest.raises(SourceUnsupported):
        checked_shape(*pair)
