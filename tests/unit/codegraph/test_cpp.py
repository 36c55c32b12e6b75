"""C++: namespaces, classes and their members, values by type, overloads, templates, headers."""

from __future__ import annotations

import pytest

from commonplace.codegraph.extraction.facts import Kind
from tests.unit.codegraph.project import Project

STORE_H = """
    #pragma once
    #include <memory>
    #include <vector>
    #define STORE_API
    namespace store {
    class Shelf;
    namespace detail { struct Board { int length() const; }; }
    enum class Wood { Oak, Ash };
    enum Side { LEFT, RIGHT };
    class STORE_API Item {
     public:
      explicit Item(int weight);
      virtual ~Item() = default;
      virtual int weight() const = 0;
      Item* next();
      const Item* next() const;
     protected:
      int weight_ = 0;
    };
    class Book final : public Item {
     public:
      using Boards = std::vector<detail::Board>;
      Book(int pages, Wood wood = Wood::Oak) : Item(pages), pages_(pages) {}
      int weight() const override { return weight_ + pages_; }
      void put(int place);
      void put(const char* text, int times = 1);
      detail::Board& board();
      static Book make();
      Boards boards;
     private:
      int pages_;
      detail::Board board_;
    };
    template <typename T> class Box {
     public:
      T& open();
      T* operator->();
     private:
      T held_;
    };
    std::unique_ptr<Book> borrow(int days);
    inline int total(const Book& book) { return book.weight(); }
    }
    """
STORE_CPP = """
    #include "store/store.h"
    namespace store {
    namespace { int helper(int n) { return n; } }
    int detail::Board::length() const { return helper(1); }
    Item::Item(int weight) : weight_(weight) {}
    Item* Item::next() { return this; }
    const Item* Item::next() const { return this; }
    void Book::put(int place) { pages_ += place; this->weight_ = helper(pages_); put("x"); }
    void Book::put(const char* text, int times) { board().length(); }
    detail::Board& Book::board() { return board_; }
    Book Book::make() { return Book(1); }
    template <typename T> T& Box<T>::open() { return held_; }
    }
    """
MAIN_CPP = """
    #include "store/store.h"
    using namespace store;
    namespace inner = store::detail;
    static int count(const Item& item) { return item.next()->weight(); }
    int main() {
      Book book(3);
      auto made = Book::make();
      auto* fresh = new store::Book(1, Wood::Ash);
      made.put(1);
      fresh->put("a", 2);
      borrow(3)->board().length();
      for (auto& each : book.boards) each.length();
      Box<Book> box;
      box.open().put(2);
      box->weight();
      inner::Board* board = &book.board();
      board->length();
      auto run = [&book](Item& item) { return item.weight() + book.weight(); };
      static_cast<Item*>(fresh)->weight();
      if (LEFT) return run(book) + total(book) + count(made);
      return unknown.weight() + mystery()->put(1);
    }
    """


@pytest.fixture(scope="module")
def project() -> Project:
    return Project(
        {"include/store/store.h": STORE_H, "src/store.cpp": STORE_CPP, "src/main.cpp": MAIN_CPP}
    )


@pytest.mark.parametrize(
    ("marked", "target"),
    [
        ("|Book book(3)", "include/store/store.h:21 Book"),
        ("Book::|make()", "src/store.cpp:12 make"),
        ("new store::|Book(1", "include/store/store.h:21 Book"),
        ("Wood::|Ash", "include/store/store.h:9 Ash"),
        ("made.|put(1)", "src/store.cpp:9 put"),
        ('fresh->|put("a", 2)', "src/store.cpp:10 put"),
        ("borrow(3)->|board()", "src/store.cpp:11 board"),
        ("borrow(3)->board().|length()", "src/store.cpp:5 length"),
        ("each : book.|boards", "include/store/store.h:30 boards"),
        ("each.|length()", "src/store.cpp:5 length"),
        ("box.|open()", "src/store.cpp:13 open"),
        ("box.open().|put(2)", "src/store.cpp:9 put"),
        ("box->|weight()", "include/store/store.h:25 weight"),
        ("inner::|Board*", "include/store/store.h:8 Board"),
        ("board->|length()", "src/store.cpp:5 length"),
        ("return item.|weight() +", "include/store/store.h:15 weight"),
        ("+ book.|weight()", "include/store/store.h:25 weight"),
        ("static_cast<Item*>(fresh)->|weight()", "include/store/store.h:15 weight"),
        ("if (|LEFT)", "include/store/store.h:10 LEFT"),
        ("+ |total(book)", "include/store/store.h:43 total"),
        ("+ |count(made)", "src/main.cpp:5 count"),
        ("item.|next()->weight", "src/store.cpp:8 next"),
    ],
)
def test_names_lead_to_what_cpp_means_by_them(project: Project, marked: str, target: str) -> None:
    assert project.leads_to("src/main.cpp", marked) == target


@pytest.mark.parametrize(
    ("marked", "target"),
    [
        ("return |helper(1)", "src/store.cpp:4 helper"),
        (": |weight_(weight)", "include/store/store.h:19 weight_"),
        ("int place) { |pages_ +=", "include/store/store.h:32 pages_"),
        ("this->|weight_", "include/store/store.h:19 weight_"),
        ('|put("x")', "src/store.cpp:10 put"),
        ("{ |board().length", "src/store.cpp:11 board"),
        ("board().|length(); }", "src/store.cpp:5 length"),
        ("{ return |board_; }", "include/store/store.h:33 board_"),
        ("{ return |Book(1)", "include/store/store.h:21 Book"),
        ("{ return |held_; }", "include/store/store.h:40 held_"),
        ("void |Book::put(int", "include/store/store.h:21 Book"),
    ],
)
def test_a_method_outside_of_its_class_sees_its_members(
    project: Project, marked: str, target: str
) -> None:
    assert project.leads_to("src/store.cpp", marked) == target


def test_a_method_and_its_definition_are_one_symbol(project: Project) -> None:
    link = project.link("src/main.cpp", "borrow(3)->|board()")
    assert link is not None
    assert {project.shown(each) for each in link.targets} == {
        "src/store.cpp:11 board",
        "include/store/store.h:28 board",
    }
    assert link.confidence == pytest.approx(0.95)
    paths = {project.facts[each.path].definitions[each.number].path for each in link.targets}
    assert paths == {"store.Book.board"}


def test_members_of_an_unknown_value_are_not_linked_to_a_namesake(project: Project) -> None:
    assert project.link("src/main.cpp", "unknown.|weight()") is None
    assert project.link("src/main.cpp", "mystery()->|put(1)") is None


def test_a_header_is_read_in_the_language_of_its_text(project: Project) -> None:
    assert project.facts["include/store/store.h"].language == "cpp"
    assert Project({"a.h": "struct s { int class_of; };"}).facts["a.h"].language == "c"
    assert Project({"a.h": "struct s : base { int a; };"}).facts["a.h"].language == "cpp"


def test_the_type_of_a_library_does_not_lead_to_a_namesake() -> None:
    source = """
        #include <string>
        namespace text { struct string { int size(); }; }
        int f(std::string s) { return s.size(); }
        """
    project = Project({"a.cpp": source})
    assert project.link("a.cpp", "std::|string s") is None
    assert project.link("a.cpp", "s.|size()") is None


def test_names_of_namespaces_that_are_not_used_are_not_seen() -> None:
    source = """
        namespace a { void f(); namespace b { void g(); } inline namespace v1 { void h(); } }
        namespace a { void k() { f(); b::g(); h(); } }
        void m() { f(); a::f(); a::b::g(); a::h(); using a::f; f(); }
        """
    project = Project({"a.cpp": source})
    assert project.leads_to("a.cpp", "k() { |f()") == "a.cpp:2 f"
    assert project.leads_to("a.cpp", "b::|g(); h()") == "a.cpp:2 g"
    assert project.leads_to("a.cpp", "g(); |h(); }") == "a.cpp:2 h"
    assert project.leads_to("a.cpp", "a::|f(); a::b") == "a.cpp:2 f"
    assert project.leads_to("a.cpp", "a::b::|g()") == "a.cpp:2 g"
    assert project.leads_to("a.cpp", "a::|h()") == "a.cpp:2 h"


def test_a_type_that_is_only_declared_is_found_where_it_is_defined() -> None:
    files = {
        "a.h": "namespace n { class Late; class User { Late* late_; int run(); }; }",
        "late.h": "namespace n { class Late { public: int go(); }; }",
        "a.cpp": '#include "a.h"\n#include "late.h"\n'
        "namespace n { int User::run() { return late_->go(); } }",
    }
    project = Project(files)
    assert project.leads_to("a.h", "|Late* late_") == "late.h:1 Late"
    assert project.leads_to("a.cpp", "late_->|go()") == "late.h:1 go"


def test_a_header_that_another_one_includes_sees_what_it_completes() -> None:
    files = {
        "list.h": "template <class T> class List { void add(T t); int size_; };\n"
        '#include "list-inl.h"',
        "list-inl.h": "template <class T> void List<T>::add(T t) { size_++; }",
    }
    project = Project(files)
    assert project.leads_to("list-inl.h", "{ |size_++") == "list.h:1 size_"


def test_overloads_are_told_apart_by_the_number_and_the_types_of_arguments() -> None:
    source = """
        struct A {}; struct B : A {};
        void f(int n); void f(const char* s);
        void f(const A& a, bool deep = false); void f(double d);
        void g(const B& b, char* text) { f(1); f("x"); f(b); f(b, true); f(2.5); f(text); }
        """
    project = Project({"a.cpp": source})
    definitions = project.facts["a.cpp"].definitions
    columns = {}
    for marked in ("|f(1)", '|f("x")', "|f(b);", "|f(b, true)", "|f(2.5)", "|f(text)"):
        link = project.link("a.cpp", marked)
        assert link is not None
        columns[marked] = definitions[link.targets[0].number].signature
    assert columns == {
        "|f(1)": "void f(int n);",
        '|f("x")': "void f(const char* s);",
        "|f(b);": "void f(const A& a, bool deep = false);",
        "|f(b, true)": "void f(const A& a, bool deep = false);",
        "|f(2.5)": "void f(double d);",
        "|f(text)": "void f(const char* s);",
    }


def test_no_overload_is_called_with_too_few_arguments() -> None:
    source = """
        struct V { int at(int n); int at() const; };
        int f(V& v) { return v.at() + v.at(1); }
        """
    project = Project({"a.cpp": source})
    definitions = project.facts["a.cpp"].definitions
    for marked, signature in (("v.|at()", "int at() const;"), ("v.|at(1)", "int at(int n);")):
        link = project.link("a.cpp", marked)
        assert link is not None
        assert definitions[link.targets[0].number].signature == signature


MASKED = """
    #define EXPORTED
    #define LOCKED(m)
    #define DEPRECATED(text)
    #define FAR
    class EXPORTED Value {
      friend struct ::Tester;
    #ifdef WIDE
     public:
    #else
     private:
    #endif
      DEPRECATED("use find")
      int search(const char FAR *name);
      int find(const Value& other = {}) const LOCKED(mutex_);
      void EXPORTED clear();
      int apply(int (Value::*method)()) { return (this->*method)() + find(); }
      int size_ LOCKED(mutex_);
      int last_;
    };
    int use(Value& v) { v.clear(); return v.find() + v.size_ + v.last_ + v.search("x"); }
    """


def test_macros_and_constructs_that_the_grammar_does_not_read_hide_nothing() -> None:
    project = Project({"a.h": MASKED})
    assert not project.facts["a.h"].problem
    for marked, target in (
        ("v.|clear()", "a.h:16 clear"),
        ("v.|find()", "a.h:15 find"),
        ("v.|size_", "a.h:18 size_"),
        ("v.|last_", "a.h:19 last_"),
        ("v.|search", "a.h:14 search"),
        ("class |EXPORTED Value", "a.h:2 EXPORTED"),
        ("const |LOCKED(mutex_)", "a.h:3 LOCKED"),
    ):
        assert project.leads_to("a.h", marked) == target


def test_a_test_sees_the_members_of_its_fixture() -> None:
    source = """
        class Suite : public testing::Test { protected: int open(); int count_ = 0; };
        int open() { return 1; }
        TEST_F(Suite, Opens) { EXPECT_EQ(open(), count_); }
        TEST(Other, Opens) { open(); }
        """
    project = Project({"a_test.cpp": source})
    assert project.leads_to("a_test.cpp", "EXPECT_EQ(|open()") == "a_test.cpp:2 open"
    assert project.leads_to("a_test.cpp", ", |count_)") == "a_test.cpp:2 count_"
    assert project.leads_to("a_test.cpp", "Other, Opens) { |open()") == "a_test.cpp:3 open"
    tests = [d.path for d in project.facts["a_test.cpp"].definitions if d.kind is Kind.TEST]
    assert tests == ["Suite.Opens", "Other.Opens"]


def test_a_class_in_a_class_may_be_defined_outside_of_it() -> None:
    source = """
        class Table { public: struct Part; Part* part_; int run(); };
        struct Table::Part { int size; };
        int Table::run() { Part* p = part_; return p->size; }
        """
    project = Project({"a.cpp": source})
    assert project.leads_to("a.cpp", "p->|size") == "a.cpp:3 size"
    assert project.leads_to("a.cpp", "{ |Part* p") == "a.cpp:3 Part"
