"""Rust: modules and crates, members from `impl`, and what stands in macros."""

from __future__ import annotations

import pytest

from commonplace.codegraph.extraction.facts import HIDDEN
from tests.unit.codegraph.project import Project

PROJECT = {
    "Cargo.toml": '[package]\nedition = "2021"\nname = "shop"\n',
    "src/lib.rs": """
        pub mod store;
        mod util;
        pub use store::shelf::{Shelf, Level as Height};
        pub trait Keeper { fn keep(&self) -> bool; fn twice(&self) {} }
        """,
    "src/store/mod.rs": """
        pub mod shelf;
        pub use self::shelf::*;
        pub struct Book { pub title: String }
        impl Book { pub fn read(&self) -> &str { &self.title } }
        """,
    "src/store/shelf.rs": """
        use super::Book;
        use crate::{Keeper, util};
        pub enum Level { Low, High(u8) }
        pub struct Shelf { books: Vec<Book>, level: Option<Level> }
        impl Shelf {
            pub fn new() -> Self { Self { books: vec![], level: None } }
            pub fn first(&self) -> Option<&Book> { self.books.first() }
        }
        impl Keeper for Shelf { fn keep(&self) -> bool { util::check(self) } }
        impl Level { fn steps(&self) { match self { Level::Low => 0, Level::High(n) => *n } } }
        """,
    "src/util.rs": """
        use crate::Shelf;
        pub fn check(shelf: &Shelf) -> bool {
            if let Some(book) = shelf.first() {
                book.read();
            }
            shelf.keep();
            shelf.twice();
            let made = crate::store::Shelf::new();
            assert!(made.first().is_some(), "{}", Shelf::new().keep());
            unknown().keep();
            for each in shelf.books.iter() { each.read(); }
            shelf.books.iter().map(|one| one.read()).count() > 0
        }
        #[cfg(test)]
        mod tests {
            use super::*;
            #[test]
            fn works() { check(&Shelf::new()); super::check(&Shelf::new()); }
        }
        """,
    "tests/all.rs": """
        use shop::{Height, Shelf};
        fn run(h: Height) { Shelf::new().first().unwrap().read(); h.steps(); }
        """,
}

LINKS = {
    ("src/util.rs", "book.|read()"): "src/store/mod.rs:5 read",
    ("src/util.rs", "shelf.|keep();"): "src/store/shelf.rs:10 keep",
    ("src/util.rs", "shelf.|twice()"): "src/lib.rs:5 twice",
    ("src/util.rs", "Shelf::|new();"): "src/store/shelf.rs:7 new",
    ("src/util.rs", "made.|first()"): "src/store/shelf.rs:8 first",
    ("src/util.rs", "new().|keep())"): "src/store/shelf.rs:10 keep",
    ("src/util.rs", "unknown().|keep()"): "",
    ("src/util.rs", "each.|read()"): "src/store/mod.rs:5 read",
    ("src/util.rs", "one.|read()"): "src/store/mod.rs:5 read",
    ("src/util.rs", "{ |check(&"): "src/util.rs:3 check",
    ("src/util.rs", "super::|check(&"): "src/util.rs:3 check",
    ("src/store/shelf.rs", "util::|check(self)"): "src/util.rs:3 check",
    ("src/store/shelf.rs", "Level::|High(n)"): "src/store/shelf.rs:4 High",
    ("src/store/shelf.rs", "use super::|Book"): "src/store/mod.rs:4 Book",
    ("src/store/shelf.rs", "{ |books: vec"): "src/store/shelf.rs:5 books",
    ("tests/all.rs", "unwrap().|read()"): "src/store/mod.rs:5 read",
    ("tests/all.rs", "h.|steps()"): "src/store/shelf.rs:11 steps",
    ("tests/all.rs", "h: |Height"): "src/store/shelf.rs:4 Level",
}


@pytest.fixture(scope="module")
def project() -> Project:
    return Project(PROJECT)


@pytest.mark.parametrize(("path", "marked"), LINKS)
def test_a_use_is_linked(project: Project, path: str, marked: str) -> None:
    assert project.leads_to(path, marked) == LINKS[path, marked]


def test_members_are_told_with_their_type(project: Project) -> None:
    facts = project.facts["src/store/mod.rs"]
    shown = [each.path for each in facts.definitions if each.kind not in HIDDEN]
    assert shown == ["Book", "Book.title", "Book.read"]


def test_types_of_one_name_keep_their_members() -> None:
    found = Project(
        {
            "src/lib.rs": "mod a;\nmod b;\n",
            "src/a.rs": "pub struct Error;\nimpl Error { pub fn code(&self) {} }\n",
            "src/b.rs": "pub struct Error;\nimpl Error { pub fn code(&self) {} }\n"
            "fn f(one: Error, other: crate::a::Error) { one.code(); other.code(); }\n",
        }
    )
    assert found.leads_to("src/b.rs", "one.|code()") == "src/b.rs:2 code"
    assert found.leads_to("src/b.rs", "other.|code()") == "src/a.rs:2 code"
