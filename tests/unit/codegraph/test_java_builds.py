"""Java: attributes of annotations, overloads over arrays and functions, modules of a build."""

from __future__ import annotations

import pytest

from tests.unit.codegraph.project import Project

MARKS = """
    package marks;
    public @interface Feature {
      int size() default 1;
      String[] value();
      @interface Require { Class<?> type(); }
    }
    """


@pytest.mark.parametrize(
    ("marked", "line"),
    [
        ("@|Feature(", 3),
        ("(|value =", 5),
        (", |size = 2", 4),
        ("@|Feature.Require", 3),
        ("@Feature.|Require(", 6),
        ("Require(|type", 6),
        ("@Feature.|Require class", 6),
    ],
)
def test_an_annotation_and_its_attributes_are_uses(marked: str, line: int) -> None:
    use = """
        package marks;
        class Use {
          @Feature(value = {"a"}, size = 2) void one() {}
          @Feature.Require(type = Use.class) void two() {}
          @Feature.Require class Three {}
        }
        """
    project = Project({"Feature.java": MARKS, "Use.java": use})
    assert project.leads_to("Use.java", marked).startswith(f"Feature.java:{line} ")


ARRAYS = """
    package lib.arrays;
    import java.util.concurrent.Callable;
    import java.util.function.Function;
    public class Arrays {
      static void add(boolean[] array, boolean one) {}
      static void add(int[] array, int one) {}
      static void add(long[] array, long one) {}
      static <T> void add(T[] array, T one) {}
      static void add(int[][] array, int[] one) {}
      static void fill(Object[] array) {}
      static void fill(int[] array) {}
      static void fill(byte[]... arrays) {}
      static void run(Runnable task) {}
      static void run(Function<String, String> task) {}
      static void run(Pair task) {}
      static int[] ints() { return null; }
      static void take(int number) {}
      static void take(String text) {}
      interface Pair { void both(int a, int b); default void other() {} }
      static void log(Object one) {}
      static void log(Object... many) {}
      static void log(Throwable reason) {}
      static void log(Class<?> type) {}
    }
    """


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ("|add(new boolean[0], true);", 6),
        ("|add(new int[] {1}, 1);", 7),
        ("|add(new long[2], 1L);", 8),
        ("|add(texts, null);", 9),
        ("|add(new int[1][2], ints());", 10),
        ("|add(grid, new int[0]);", 10),
        ("|add(grid[0], 1);", 7),
        ("|fill(texts);", 11),
        ("|fill(ints());", 12),
        ("|fill(new byte[0], new byte[1]);", 13),
        ("|run(() -> {});", 14),
        ("|run(text -> text);", 15),
        ("|run((a, b) -> {});", 16),
        ("|take(boxed);", 18),
        ("|take(texts[0]);", 19),
        ("|log(texts);", 22),
        ("|log(new Object[] { 1, 2 });", 22),
        ('|log("a");', 21),
        ("|log(new IllegalStateException());", 23),
        ("|log(texts.getClass());", 24),
        ("lib.arrays.Arrays.|take(boxed);", 18),
        ("lib.|arrays.Arrays.take(boxed);", 0),
        ("lib.arrays.|Arrays.take(boxed);", 5),
        ("Object o = new lib.arrays.|Arrays();", 5),
    ],
)
def test_an_overload_is_told_by_arrays_and_functions(code: str, line: int) -> None:
    use = """
        package lib.arrays;
        import static lib.arrays.Arrays.*;
        class Use { void use(String[] texts, int[][] grid, Integer boxed) { CODE } }
        """.replace("CODE", code.replace("|", ""))
    project = Project({"Arrays.java": ARRAYS, "Use.java": use})
    found = project.leads_to("Use.java", code)
    assert found.startswith(f"Arrays.java:{line} ") if line else found == ""


BOX = "package a; public class Box { public void open() {} }"
USER = "package a; class User { void go() { new Box().open(); } }"


def pom(name: str, modules: str = "", uses: str = "") -> str:
    listed = "".join(f"<module>{each}</module>" for each in modules.split())
    used = "".join(
        f"<dependency><groupId>g</groupId><artifactId>{each}</artifactId></dependency>"
        for each in uses.split()
    )
    parent = "<parent><artifactId>above</artifactId></parent>"
    return (
        f"<project>{parent}<artifactId>{name}</artifactId><modules>{listed}</modules>"
        f"<!-- <artifactId>old</artifactId> --><dependencies>{used}</dependencies></project>"
    )


def test_maven_tells_two_flavours_of_a_library_apart() -> None:
    project = Project(
        {
            "pom.xml": pom("parent", "box box-tests"),
            "box/pom.xml": pom("box"),
            "box-tests/pom.xml": pom("box-tests", uses="box"),
            "android/pom.xml": pom("android-parent", "box box-tests"),
            "android/box/pom.xml": pom("box"),
            "android/box-tests/pom.xml": pom("box-tests", uses="box"),
            "box/src/a/Box.java": BOX,
            "android/box/src/a/Box.java": BOX,
            "box-tests/src/a/User.java": USER,
            "android/box-tests/src/a/User.java": USER,
        }
    )
    for flavour in ("", "android/"):
        link = project.link(f"{flavour}box-tests/src/a/User.java", "Box().|open")
        assert link is not None
        assert [target.path for target in link.targets] == [f"{flavour}box/src/a/Box.java"]


@pytest.mark.parametrize(
    ("settings", "script"),
    [
        ("include ':one', ':two', ':app'\n", "dependencies { implementation project(':two') }"),
        (
            'include(\n  ":one",\n  ":two",\n)\ninclude(":app")\n',
            'dependencies { api(project(path = ":two")) }',
        ),
        (
            'include("one", "two")\ninclude("app")\n',
            "dependencies { implementation(projects.two) }",
        ),
    ],
)
def test_gradle_says_which_module_another_one_uses(settings: str, script: str) -> None:
    ending = ".kts" if '"' in settings else ""
    project = Project(
        {
            f"settings.gradle{ending}": settings,
            f"app/build.gradle{ending}": script,
            "one/src/a/Box.java": BOX,
            "two/src/a/Box.java": BOX,
            "app/src/a/User.java": USER,
        }
    )
    link = project.link("app/src/a/User.java", "Box().|open")
    assert link is not None
    assert [target.path for target in link.targets] == ["two/src/a/Box.java"]
