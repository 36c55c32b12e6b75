"""C: declarations and definitions, includes, tags, members by type, macros."""

from __future__ import annotations

import pytest

from commonplace.codegraph.resolution.linking import Resolution
from tests.unit.codegraph.project import Project

SHELF_H = """
    #ifndef SHELF_H
    #define SHELF_H
    #define LIMIT 3
    #define WIDER(s) widen((s), LIMIT)
    struct board { int length; };
    typedef struct shelf { struct board *top; int size, *marks; } shelf_t;
    typedef int (*visit_fn)(shelf_t *shelf, int depth);
    enum color { RED, GREEN = LIMIT };
    int widen(shelf_t *shelf, int by);
    shelf_t *shelf_new(void);
    extern int shelves;
    #endif
    """
SHELF_C = """
    #include "shelf.h"
    int shelves = 0;
    static int grow(shelf_t *s, int by) { return s->size += by; }
    int widen(shelf_t *shelf, int by) { return grow(shelf, by); }
    shelf_t *shelf_new(void) { return 0; }
    """
MAIN_C = """
    #include <stdio.h>
    #include "lib/shelf.h"
    static int grow(int n) { return n; }
    static int visit(shelf_t *each, int depth) { return each->top->length + depth; }
    static const struct { const char *name; visit_fn run; } TABLE[] = { { "visit", visit } };
    int main(void) {
      shelf_t *s = shelf_new(), local = { .size = LIMIT };
      struct board b = { 1 };
      b.length = local.size;
      s->top->length = GREEN;
      shelf_new()->size = shelves;
      ((struct board *)s)->length++;
      WIDER(s);
      if (RED) return TABLE[0].run(s, grow(2));
      return widen(s, 1);
    }
    """


@pytest.fixture(scope="module")
def project() -> Project:
    return Project(
        {"src/lib/shelf.h": SHELF_H, "src/lib/shelf.c": SHELF_C, "src/main.c": MAIN_C,
         "other/shelf.c": "static int widen(int x) { return x; }\nint shelves;\n"}
    )  # fmt: skip


@pytest.mark.parametrize(
    ("marked", "target"),
    [
        ("return |widen(s, 1)", "src/lib/shelf.c:5 widen"),
        ("= |shelf_new()", "src/lib/shelf.c:6 shelf_new"),
        (", |grow(2)", "src/main.c:4 grow"),
        ("each->|top->length", "src/lib/shelf.h:7 top"),
        ("each->top->|length", "src/lib/shelf.h:6 length"),
        ("visit(|shelf_t *each", "src/lib/shelf.h:7 shelf_t"),
        ('"visit", |visit', "src/main.c:5 visit"),
        ("{ .|size = LIMIT", "src/lib/shelf.h:7 size"),
        (".size = |LIMIT", "src/lib/shelf.h:4 LIMIT"),
        ("struct |board b", "src/lib/shelf.h:6 board"),
        ("  b.|length = local", "src/lib/shelf.h:6 length"),
        ("= local.|size", "src/lib/shelf.h:7 size"),
        ("length = |GREEN", "src/lib/shelf.h:9 GREEN"),
        ("shelf_new()->|size", "src/lib/shelf.h:7 size"),
        ("size = |shelves", "src/lib/shelf.c:3 shelves"),
        ("(struct board *)s)->|length++", "src/lib/shelf.h:6 length"),
        ("  |WIDER(s)", "src/lib/shelf.h:5 WIDER"),
        ("TABLE[0].|run", "src/main.c:6 run"),
        ("const char *name; |visit_fn", "src/lib/shelf.h:8 visit_fn"),
    ],
)  # fmt: skip
def test_names_lead_to_what_c_means_by_them(project: Project, marked: str, target: str) -> None:
    assert project.leads_to("src/main.c", marked) == target


def test_a_declaration_and_its_definition_are_one_symbol(project: Project) -> None:
    link = project.link("src/main.c", "return |widen(s, 1)")
    assert link is not None
    assert [project.shown(each) for each in link.targets] == [
        "src/lib/shelf.c:5 widen",
        "src/lib/shelf.h:10 widen",
    ]
    assert link.confidence > 0.9


def test_names_in_the_text_of_a_macro_are_used_there(project: Project) -> None:
    assert project.leads_to("src/lib/shelf.h", "WIDER(s) |widen((s)") == "src/lib/shelf.c:5 widen"
    assert project.leads_to("src/lib/shelf.h", "widen((s), |LIMIT)") == "src/lib/shelf.h:4 LIMIT"


def test_what_a_file_does_not_include_is_linked_by_name_alone() -> None:
    files = {
        "a.c": "int walk(void) { return measure(1) + hidden(2); }",
        "b.c": "int measure(int x) { return x; }\nstatic int hidden(int x) { return x; }",
    }
    project = Project(files)
    link = project.link("a.c", "|measure(1)")
    assert link is not None
    assert link.resolution is Resolution.NAME
    assert project.link("a.c", "|hidden(2)") is None


def test_a_file_sees_what_its_headers_include() -> None:
    files = {
        "api.h": '#include "parts.h"\n',
        "parts.h": '#include "sizes.h"\n',
        "sizes.h": "int measure(int x);\n",
        "sizes.c": '#include "sizes.h"\nint measure(int x) { return x; }\n',
        "other.c": "int measure(int x) { return -x; }\n",
        "main.c": '#include "api.h"\nint main(void) { return measure(1); }\n',
    }
    assert Project(files).leads_to("main.c", "|measure(1)") == "sizes.c:2 measure"


def test_members_of_an_unknown_value_are_not_linked_to_a_namesake() -> None:
    files = {"a.c": "struct s { int size; };\nint f(void) { return get()->size + unknown.size; }"}
    project = Project(files)
    assert project.link("a.c", "get()->|size") is None
    assert project.link("a.c", "unknown.|size") is None


def test_a_tag_and_a_type_of_one_name_are_told_apart() -> None:
    source = """
        struct node { int a; };
        typedef struct { int b; } other;
        typedef other node;
        int f(struct node *x, node *y) { return x->a + y->b; }
        """
    project = Project({"a.c": source})
    assert project.leads_to("a.c", "struct |node *x") == "a.c:2 node"
    assert project.leads_to("a.c", ", |node *y") == "a.c:4 node"
    assert project.leads_to("a.c", "x->|a") == "a.c:2 a"
    assert project.leads_to("a.c", "y->|b") == "a.c:3 b"


def test_a_type_is_found_where_it_is_defined_behind_a_forward_declaration() -> None:
    files = {
        "api.h": "struct box;\nstruct box *box_new(void);\nint box_size(struct box *b);",
        "box.c": '#include "api.h"\nstruct box { int size; };\n'
        "int box_size(struct box *b) { return b->size; }",
        "main.c": '#include "api.h"\nint main(void) { return box_size(box_new()); }',
    }
    project = Project(files)
    assert project.leads_to("api.h", "struct |box *box_new") == "box.c:2 box"
    assert project.leads_to("box.c", "b->|size") == "box.c:2 size"
    assert project.leads_to("main.c", "|box_size(box") == "box.c:3 box_size"


def test_members_of_nested_types_without_a_name_are_members() -> None:
    source = """
        struct value {
          int kind;
          union { int number; struct { char *text; int length; }; };
          struct { int line; } at;
        };
        int f(struct value *v) { return v->number + v->length + v->at.line; }
        """
    project = Project({"a.c": source})
    assert project.leads_to("a.c", "v->|number") == "a.c:4 number"
    assert project.leads_to("a.c", "v->|length") == "a.c:4 length"
    assert project.leads_to("a.c", "at.|line") == "a.c:5 line"


def test_marks_before_a_declaration_are_uses_of_macros() -> None:
    source = """
        #define API_PUBLIC extern
        API_PUBLIC int (walk) (int n);
        API_PUBLIC const char *name_of(int n);
        int f(void) { return walk(1) + name_of(2)[0]; }
        """
    project = Project({"a.c": source})
    assert not project.facts["a.c"].problem
    assert project.leads_to("a.c", "|API_PUBLIC int") == "a.c:2 API_PUBLIC"
    assert project.leads_to("a.c", "return |walk(1)") == "a.c:3 walk"
    assert project.leads_to("a.c", "+ |name_of(2)") == "a.c:4 name_of"


def test_all_branches_of_a_condition_are_read() -> None:
    source = """
        #ifdef WIDE
        static int step(int n) { return n * 2; }
        #else
        static int step(int n) { return n; }
        #endif
        int walk(void) { return step(1); }
        """
    project = Project({"a.c": source})
    link = project.link("a.c", "return |step(1)")
    assert link is not None
    assert {each.number for each in link.targets} == {
        number for number, d in enumerate(project.facts["a.c"].definitions) if d.name == "step"
    }


def test_a_macro_that_only_renames_does_not_hide_what_it_renames() -> None:
    source = """
        #ifdef PREFIX
        #define inflate z_inflate
        #endif
        #define half(n) ((n) / 2)
        int inflate(int n) { return n; }
        int half(int n);
        int run(void) { return inflate(1) + half(2) + apply(inflate); }
        """
    project = Project({"a.c": source})
    assert project.leads_to("a.c", "return |inflate(1)") == "a.c:6 inflate"
    link = project.link("a.c", "apply(|inflate)")
    assert link is not None
    assert [project.shown(each) for each in link.targets] == ["a.c:6 inflate"]
    assert project.leads_to("a.c", "+ |half(2)") == "a.c:5 half"


def test_a_header_is_c_whatever_its_comments_say() -> None:
    text = "/* The\n   class of\n   using it: public:\n*/\nstruct s { int new; };\n"
    assert Project({"a.h": text}).facts["a.h"].language == "c"


def test_a_variable_whose_name_begins_like_a_keyword_is_led_to_its_definition() -> None:
    files = {
        "a.h": "extern int external_count;\n",
        "a.c": '#include "a.h"\nint external_count = 0;\n',
        "b.c": '#include "a.h"\nint f(void) { return external_count; }\n',
    }
    assert Project(files).leads_to("b.c", "return |external") == "a.c:2 external_count"
