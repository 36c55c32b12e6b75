"""Java: where each name of a small project leads, and how that is known."""

from __future__ import annotations

import pytest

from commonplace.codegraph.linking import Resolution
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
