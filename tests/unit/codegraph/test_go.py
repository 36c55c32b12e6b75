"""Go: packages are folders, types get their methods outside, and nothing is guessed by name."""

from __future__ import annotations

import pytest

from commonplace.codegraph.extraction.facts import HIDDEN
from commonplace.codegraph.resolution.linking import Resolution
from tests.unit.codegraph.project import Project

PROJECT = {
    "go.mod": "module example.com/shop/v2\n",
    "store/shelf.go": """
        package store
        import "fmt"
        type Base struct { Name string }
        func (b *Base) Rename(to string) { b.Name = to }
        type Shelf struct { *Base; Size int; books []Book; byName map[string]*Book }
        type Keeper interface { Keep(b Book) error }
        type Level int
        func New(size int) (*Shelf, error) { return &Shelf{Size: size}, nil }
        func (s *Shelf) First() Book { return s.books[0] }
        func (l Level) String() string { return fmt.Sprint(int(l)) }
        """,
    "store/book.go": """
        package store
        type Book struct { Title string }
        func (b Book) Read() string { return b.Title }
        func all() []Book {
            return []Book{{Title: "one"}, {Title: "two"}}
        }
        """,
    "main.go": """
        package main
        import (
            "example.com/shop/v2/store"
            other "strings"
        )
        func run(k store.Keeper, unknown other.Reader) {
            shelf, err := store.New(3)
            shelf.First().Read()
            shelf.Rename("x")
            for _, level := range []store.Level{1} {
                level.String()
            }
            unknown.String()
            err.Error()
            k.Keep(store.Book{Title: "t"})
            tests := []struct{ name string }{{name: "a"}}
            for _, each := range tests {
                print(each.name)
            }
            switch v := any(shelf).(type) {
            case *store.Shelf:
                v.First()
            }
            n := new(store.Shelf)
            n.Size = 2
        }
        """,
}

LINKS = {
    "store.|New(3)": "store/shelf.go:9 New",
    "shelf.|First().Read": "store/shelf.go:10 First",
    "First().|Read()": "store/book.go:4 Read",
    "shelf.|Rename(": "store/shelf.go:5 Rename",
    "level.|String()": "store/shelf.go:11 String",
    "unknown.|String()": "",
    "err.|Error()": "",
    "k.|Keep(": "store/shelf.go:7 Keep",
    "Book{|Title: ": "store/book.go:3 Title",
    "each.|name)": "main.go:17 name",
    "v.|First()": "store/shelf.go:10 First",
    "n.|Size = 2": "store/shelf.go:6 Size",
    "k store.|Keeper": "store/shelf.go:7 Keeper",
}


@pytest.fixture(scope="module")
def project() -> Project:
    return Project(PROJECT)


@pytest.mark.parametrize("marked", LINKS)
def test_a_use_is_linked(project: Project, marked: str) -> None:
    assert project.leads_to("main.go", marked) == LINKS[marked]


def test_files_of_a_package_see_each_other(project: Project) -> None:
    assert project.leads_to("store/shelf.go", "First() |Book") == "store/book.go:3 Book"
    link = project.link("store/shelf.go", "First() |Book")
    assert link is not None
    assert link.resolution is Resolution.IMPORT


def test_methods_are_told_with_their_type(project: Project) -> None:
    shown = [d.path for d in project.facts["store/book.go"].definitions if d.kind not in HIDDEN]
    assert shown == ["Book", "Book.Title", "Book.Read", "all"]


def test_keys_of_inner_literals_are_fields(project: Project) -> None:
    assert project.leads_to("store/book.go", '{{|Title: "one"') == "store/book.go:3 Title"


def test_a_package_without_a_name_of_its_own() -> None:
    found = Project(
        {
            "go.mod": "module example.com/a\n",
            "a.go": "package a\nfunc Walk() {}\n",
            "a_test.go": 'package a_test\nimport . "example.com/a"\nfunc T() { Walk() }\n',
        }
    )
    assert found.leads_to("a_test.go", "{ |Walk()") == "a.go:2 Walk"
