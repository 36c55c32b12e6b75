"""Java: where each name of a small project leads, and how that is known."""

from __future__ import annotations

import pytest

from commonplace.codegraph.resolution.linking import Resolution
from tests.unit.codegraph.project import Project

ZOO = {
    "src/zoo/Animal.java": """
        package zoo;
        /** Anything that eats. */
        public abstract class Animal<F extends Food> {
          protected F lunch;
          static final int LEGS = 4;
          public void feed(F food) { lunch = food; }
          public void feed(F food, int times) { feed(food); }
          F leftovers() { return this.lunch; }
          static class Tag { String text() { return ""; } }
        }
        """,
    "src/zoo/Food.java": """
        package zoo;
        public interface Food { int weight(); enum Kind { MEAT, HAY; Food make() { return x; } } }
        """,
    "src/zoo/big/Lion.java": """
        package zoo.big;
        import zoo.Animal;
        import zoo.Food;
        import static zoo.Food.Kind.MEAT;
        import static zoo.Food.Kind.*;

        public class Lion extends Animal<Food> {
          private final Tag tag = new Tag();
          void roar() {
            feed(MEAT.make(), 2);
            int w = leftovers().weight();
            var again = lunch;
            again.weight();
            tag.text();
            HAY.make();
            new Cub().roar();
            for (Food f : new Food[0]) { f.weight(); }
            Runnable later = () -> roar();
            int legs = LEGS + Animal.LEGS;
            other.weight();
          }
          class Cub extends Lion { void nap() { roar(); Lion.this.roar(); super.roar(); } }
        }
        """,
}


@pytest.fixture(scope="module")
def zoo() -> Project:
    return Project(ZOO)


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("import zoo.|Animal", "src/zoo/Animal.java:4 Animal"),
        ("static zoo.Food.Kind.|MEAT", "src/zoo/Food.java:3 MEAT"),
        ("extends |Animal<", "src/zoo/Animal.java:4 Animal"),
        ("|feed(MEAT.make(), 2)", "src/zoo/Animal.java:8 feed"),
        ("feed(|MEAT", "src/zoo/Food.java:3 MEAT"),
        ("MEAT.|make", "src/zoo/Food.java:3 make"),
        ("|leftovers().weight", "src/zoo/Animal.java:9 leftovers"),
        ("leftovers().|weight", "src/zoo/Food.java:3 weight"),
        ("again = |lunch", "src/zoo/Animal.java:5 lunch"),
        ("again.|weight", "src/zoo/Food.java:3 weight"),
        ("new |Tag()", "src/zoo/Animal.java:10 Tag"),
        ("tag.|text", "src/zoo/Animal.java:10 text"),
        ("|HAY.make", "src/zoo/Food.java:3 HAY"),
        ("new |Cub()", "src/zoo/big/Lion.java:23 Cub"),
        ("Cub().|roar", "src/zoo/big/Lion.java:10 roar"),
        ("{ f.|weight", "src/zoo/Food.java:3 weight"),
        ("() -> |roar", "src/zoo/big/Lion.java:10 roar"),
        ("legs = |LEGS", "src/zoo/Animal.java:6 LEGS"),
        ("Animal.|LEGS", "src/zoo/Animal.java:6 LEGS"),
        ("super.|roar", "src/zoo/big/Lion.java:10 roar"),
        ("other.|weight", ""),
    ],
)
def test_a_name_leads_to_its_definition(zoo: Project, marked: str, expected: str) -> None:
    assert zoo.leads_to("src/zoo/big/Lion.java", marked) == expected


def test_a_member_of_a_superclass_is_inherited(zoo: Project) -> None:
    link = zoo.link("src/zoo/big/Lion.java", "Cub().|roar")
    assert link is not None
    assert link.resolution is Resolution.INHERITED


PRINTER = """
    package print;
    import java.io.Reader;
    import java.lang.reflect.Type;
    public class Printer implements Iterable<Page> {
      public void put(String text) {}
      public void put(char one) {}
      public void put(Character one) {}
      public void put(long number) {}
      public void put(double number) {}
      public void put(boolean truth) {}
      public void put(Reader reader) {}
      public void put(Object... many) {}
      private void put(Iterable<String> lines) {}
      public <T> T read(String text, Class<T> type) { return null; }
      public <T> T read(String text, Type type) { return null; }
      public <T> T read(Reader text, Class<T> type) { return null; }
      enum Mode { PLAIN, BOLD { void start() {} } }
      class Inner { void again() { Printer.this.flush(); } }
      void flush() {}
    }
    """
PAGE = "package print;\npublic class Page { int size; }\n"


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ('p.|put("a" + 1);', 6),
        ("p.|put('c');", 7),
        ("p.|put(Character.valueOf('c'));", 8),
        ("p.|put(1);", 9),
        ("p.|put(5L);", 9),
        ("p.|put(-1.5);", 10),
        ("p.|put(Math.PI);", 10),
        ("p.|put(1 == 2);", 11),
        ("p.|put(new StringReader(text));", 12),
        ("p.|put((Object[]) list);", 13),
        ("p.|put(new ArrayList<String>());", 13),
        ("p.|read(text, Page.class);", 15),
        ("Type type = null; p.|read(text, type);", 16),
        ("p.|read(new StringReader(text), Page.class);", 17),
        ("p.read(text, Page.class).|size++;", 2),
        ("p.forEach(page -> page.|size++);", 2),
        ("switch (mode) { case |PLAIN: break; }", 18),
        ("Printer.Mode.|BOLD.name();", 18),
    ],
)
def test_an_overload_is_told_by_what_it_is_given(code: str, line: int) -> None:
    user = """
        package print;
        import java.io.StringReader;
        import java.lang.reflect.Type;
        import java.util.ArrayList;
        class User {
          void use(Printer p, String text, Object list, Printer.Mode mode) { CODE }
        }
        """.replace("CODE", code.replace("|", ""))
    project = Project({"Printer.java": PRINTER, "Page.java": PAGE, "User.java": user})
    assert project.leads_to("User.java", code).split(":")[1].split()[0] == str(line)


def test_an_overload_calls_another_one_if_nothing_tells_which() -> None:
    code = """
        class Times {
            long at(Date date) { return at(date.toInstant()); }
            long at(Instant instant) { return 0; }
            long of(StringBuilder text) { return of(text.other.toString()); }
            long of(int number) { return 0; }
            long of(String text) { return 0; }
        }
        """
    project = Project({"Times.java": code})
    assert project.leads_to("Times.java", "|at(date.") == "Times.java:4 at"
    assert project.leads_to("Times.java", "|of(text.") == "Times.java:7 of"


def test_an_overload_may_be_one_of_a_superclass() -> None:
    project = Project(
        {
            "Node.java": "class Node { String attr(String key) { return key; } }",
            "Element.java": """
                class Element extends Node {
                  Element attr(String key, String value) { return this; }
                  void use(Element one) { one.attr("a"); one.attr("b", "c"); }
                }
                """,
        }
    )
    assert project.leads_to("Element.java", 'one.|attr("a")') == "Node.java:1 attr"
    assert project.leads_to("Element.java", 'one.|attr("b"') == "Element.java:3 attr"


def test_this_of_an_outer_class_is_the_outer_one() -> None:
    project = Project({"Printer.java": PRINTER})
    assert project.leads_to("Printer.java", "Printer.this.|flush") == "Printer.java:20 flush"


def test_of_two_modules_that_declare_the_same_the_nearer_one_counts() -> None:
    box = "package a; public class Box { public void open() {} }"
    user = "package a; class User { void go() { new Box().open(); } }"
    project = Project(
        {
            "mobile/lib/src/a/Box.java": box,
            "lib/src/a/Box.java": box,
            "mobile/test/src/a/User.java": user,
            "lib/src/a/User.java": user,
        }
    )
    near = project.link("mobile/test/src/a/User.java", "Box().|open")
    assert near is not None
    assert [target.path for target in near.targets] == ["mobile/lib/src/a/Box.java"]
    assert project.leads_to("lib/src/a/User.java", "Box().|open").startswith("lib/src/a/Box.java")


@pytest.mark.parametrize("remark", ["/* of steel */", "// of steel\n"])
def test_a_comment_among_arguments_is_no_argument(remark: str) -> None:
    project = Project(
        {
            "Cage.java": f"""
            class Cage {{
              void lock(int bars) {{}}
              void lock(int bars, String key) {{}}
              void lock({remark} int bars, {remark} String key, int turns) {{}}
              void close() {{ lock({remark} 1); lock(2, {remark} "k"); lock(3, "k" {remark}, 4); }}
            }}
            """
        }
    )
    for written, line in (("|lock({} 1)", 3), ("|lock(2, {}", 4), ("|lock(3, ", 5)):
        assert project.leads_to("Cage.java", written.format(remark)) == f"Cage.java:{line} lock"


def test_the_types_around_what_is_imported_are_used_too() -> None:
    project = Project(
        {
            "a/Outer.java": "package a; public class Outer { public static class Inner {} }",
            "b/Tools.java": "package b; public class Tools { public static void mend() {} }",
            "c/User.java": """
                package c;
                import a.Outer.Inner;
                import static b.Tools.mend;
                class User { Inner one; void go() { mend(); } }
                """,
        }
    )
    assert project.leads_to("c/User.java", "a.|Outer.Inner") == "a/Outer.java:1 Outer"
    assert project.leads_to("c/User.java", "Outer.|Inner;") == "a/Outer.java:1 Inner"
    assert project.leads_to("c/User.java", "b.|Tools.mend") == "b/Tools.java:1 Tools"
    assert project.leads_to("c/User.java", "{ |mend()") == "b/Tools.java:1 mend"
