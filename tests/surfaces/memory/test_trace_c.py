"""Questions about C and C++: a declaration in a header and its definition are one symbol."""

from __future__ import annotations

import pytest

from tests.surfaces.memory.home import Home

FILES = {
    "include/shelf.h": """#pragma once
#define LIMIT 3
namespace store {
class Item {
 public:
  virtual ~Item() = default;
  virtual int weight() const = 0;
};
class Shelf : public Item {
 public:
  int weight() const override;
  void put(int place);
 private:
  int places_ = 0;
};
int total(const Item& item);
}
""",
    "src/shelf.cpp": """#include "shelf.h"
namespace store {
int Shelf::weight() const { return places_; }
void Shelf::put(int place) { places_ += place; }
int total(const Item& item) { return item.weight(); }
}
""",
    "src/main.cpp": """#include "shelf.h"
int walk(store::Shelf& shelf) {
  shelf.put(LIMIT);
  return total(shelf);
}
int guess() { return mystery().put(2); }
""",
    "tests/shelf_test.cpp": """#include "../include/shelf.h"
void test_put() {
  store::Shelf shelf;
  shelf.put(1);
}
""",
}


@pytest.fixture
def shop(home: Home) -> Home:
    home.project("shop", FILES)
    return home


def trace(home: Home, symbol: str, ask: str) -> list[str]:
    return home.alice.text("trace", symbol=symbol, ask=ask).splitlines()


@pytest.mark.requirement("memory.trace.c")
def test_a_declaration_and_its_definition_are_answered_as_one_symbol(shop: Home) -> None:
    told = trace(shop, "Shelf.put", "callers")
    assert told == [
        "symbol:shop/include/shelf.h#store.Shelf.put method, line 12",
        "symbol:shop/src/shelf.cpp#store.Shelf.put method, line 4, 2 uses",
        "callers: 2 in 2 files; not linked: 1",
        "shop/src/main.cpp:3 walk (call 0.95), of shelf.cpp | shelf.put(LIMIT);",
        "shop/tests/shelf_test.cpp:4 test_put (call 0.95), of shelf.cpp | shelf.put(1);",
        "not linked: 1 use of the name whose target is not known: it may be meant",
        "? shop/src/main.cpp:6 guess (call) | int guess() { return mystery().put(2); }",
    ]


@pytest.mark.requirement("memory.trace.c", "memory.trace.uses")
def test_a_function_is_found_by_the_namespace_of_its_argument(shop: Home) -> None:
    told = trace(shop, "total", "callers")
    assert "callers: 1" in told
    assert any(line.startswith("shop/src/main.cpp:4 walk (call") for line in told)


@pytest.mark.requirement("memory.trace.types", "memory.trace.tests")
def test_classes_overrides_and_tests_are_found(shop: Home) -> None:
    assert (
        "shop/include/shelf.h:9 store.Shelf (extends) depth 1"
        in trace(shop, "Item", "subclasses")[-1].partition(" |")[0]
    )
    overriding = "\n".join(trace(shop, "Item.weight", "implementations"))
    assert "shop/include/shelf.h:11 store.Shelf.weight depth 1" in overriding
    tests = trace(shop, "Shelf.put", "tests")
    assert "shop/tests/shelf_test.cpp:4 test_put (test 0.95) depth 1 | shelf.put(1);" in tests


@pytest.mark.requirement("memory.trace.c", "memory.trace.files")
def test_a_macro_and_a_header_have_users(shop: Home) -> None:
    assert trace(shop, "LIMIT", "references")[1:] == [
        "references: 1; 1 read",
        "shop/src/main.cpp:3 walk (read 0.99) | shelf.put(LIMIT);",
    ]
    importers = trace(shop, "include/shelf.h", "importers")
    assert importers[1] == "importers: 3 in 3 files"


@pytest.mark.requirement("memory.trace.c")
def test_a_change_of_a_header_links_its_users_again(shop: Home) -> None:
    header = FILES["include/shelf.h"].replace("void put(int place);", "void put(int, int = 1);")
    shop.write("shop/include/shelf.h", header + "namespace store { int fresh(); }\n")
    shop.write(
        "shop/src/main.cpp", FILES["src/main.cpp"] + "int again() { return store::fresh(); }\n"
    )
    shop.write("shop/src/fresh.cpp", '#include "shelf.h"\nint store::fresh() { return 1; }\n')
    shop.read_again("shop")
    told = trace(shop, "fresh", "callers")
    assert "symbol:shop/src/fresh.cpp#store.fresh method, line 2, 1 use" in told
    assert "callers: 1" in told
    shop.write("shop/src/fresh.cpp", '#include "shelf.h"\n')
    shop.read_again("shop")
    assert trace(shop, "fresh", "callers")[0].endswith("store.fresh function, line 18, 1 use")
