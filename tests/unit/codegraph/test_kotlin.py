"""Kotlin: where each name of a small project leads, and what stays unlinked."""

from __future__ import annotations

import pytest

from tests.unit.codegraph.project import Project

ZOO = {
    "src/zoo/Animal.kt": """
        package zoo
        import zoo.food.Food

        abstract class Animal<F : Food>(val name: String, lunch: F) {
          val lunch: F = lunch
          open fun feed(food: F, times: Int = 1) { lunch.weight() }
          fun feed(name: String) {}
          class Builder { fun add(food: Food): Builder = this; fun build() = 1 }
          companion object {
            const val LEGS = 4
            fun of(name: String): Builder = Builder()
          }
        }
        """,
    "src/zoo/food/Food.kt": """
        package zoo.food

        interface Food {
          fun weight(): Int
          val next: Food?
        }
        enum class Kind(val heavy: Boolean) { MEAT(true), HAY(false) }
        class Plate(val food: Food)

        val Food.heavy: Boolean get() = weight() > 3
        fun Food.share(with: Int): Food = this
        fun <T> T.orElse(other: T): T = this
        infix fun Food.beside(other: Food): Food = other
        fun String.shout() = this
        fun plates(fill: MutableList<Plate>.() -> Unit, last: (Food) -> Int = { it.weight() }) = 1
        fun plate(fill: Plate.() -> Unit) = Plate(x)
        """,
    "src/zoo/big/Lion.kt": """
        package zoo.big

        import zoo.Animal
        import zoo.food.*
        import zoo.food.share as part
        import zoo.food.Kind.MEAT

        class Lion(meal: Food) : Animal<Food>("lion", meal) {
          fun roar(other: Food?, unknown: Any) {
            feed(meal, 2)
            feed("x")
            lunch.weight()
            val left = other?.next!!
            left.weight()
            val legs = Animal.LEGS + Animal.of("a").add(left).build()
            val builder: Animal.Builder = Animal.of("b")
            builder.add(left)
            left.heavy
            left.part(1).weight()
            left.share(1)
            left.orElse(left).weight()
            left beside left
            "a".shout()
            5.shout()
            left.let { it.weight() }
            left.apply { weight() }
            with(builder) { add(left) }
            plate { food.weight() }
            plates({ clear() }, { one -> one.next; 1 })
            for (each in listed) { each.food }
            listed.filter { it.food.heavy }.map { it.food }.forEach { it.weight() }
            MEAT.heavy
            unknown.weight()
            strange.weight()
            val maker = ::roar
          }
          val listed: List<Plate> = emptyList()
          val start = meal
        }
        fun Lion.pounce() { roar(null, lunch) }
        """,
}
ANIMAL, FOOD, LION = ZOO


@pytest.fixture(scope="module")
def zoo() -> Project:
    return Project(ZOO)


@pytest.mark.parametrize(
    ("marked", "target"),
    [
        ("|feed(meal, 2)", f"{ANIMAL}:7 feed"),
        ('|feed("x")', f"{ANIMAL}:8 feed"),
        ("|lunch.weight()\n    val", f"{ANIMAL}:6 lunch"),
        ("lunch.|weight()\n    val", f"{FOOD}:5 weight"),
        ("other?.|next!!", f"{FOOD}:6 next"),
        ("    left.|weight()\n    val legs", f"{FOOD}:5 weight"),
        ("Animal.|LEGS", f"{ANIMAL}:11 LEGS"),
        ('Animal.|of("a")', f"{ANIMAL}:12 of"),
        ('of("a").|add', f"{ANIMAL}:9 add"),
        ("add(left).|build()", f"{ANIMAL}:9 build"),
        (": Animal.|Builder", f"{ANIMAL}:9 Builder"),
        ("builder.|add", f"{ANIMAL}:9 add"),
        ("left.|heavy", f"{FOOD}:11 heavy"),
        ("left.|part(1)", f"{FOOD}:12 share"),
        ("left.part(1).|weight", f"{FOOD}:5 weight"),
        ("left.|share(1)", f"{FOOD}:12 share"),
        ("left.|orElse", f"{FOOD}:13 orElse"),
        ("left.orElse(left).|weight", f"{FOOD}:5 weight"),
        ("left |beside", f"{FOOD}:14 beside"),
        ('"a".|shout', f"{FOOD}:15 shout"),
        ("left.let { it.|weight", f"{FOOD}:5 weight"),
        ("left.apply { |weight", f"{FOOD}:5 weight"),
        ("with(builder) { |add", f"{ANIMAL}:9 add"),
        ("plate { |food.weight", f"{FOOD}:9 food"),
        ("plate { food.|weight", f"{FOOD}:5 weight"),
        ("one -> one.|next", f"{FOOD}:6 next"),
        ("{ each.|food", f"{FOOD}:9 food"),
        ("filter { it.|food", f"{FOOD}:9 food"),
        ("forEach { it.|weight", f"{FOOD}:5 weight"),
        ("MEAT.|heavy", f"{FOOD}:8 heavy"),
        ("::|roar", f"{LION}:10 roar"),
        ("{ |roar(null", f"{LION}:10 roar"),
        ("roar(null, |lunch)", f"{ANIMAL}:6 lunch"),
        ("import zoo.food.|share", f"{FOOD}:12 share"),
    ],
)
def test_a_name_leads_to_what_it_means(zoo: Project, marked: str, target: str) -> None:
    assert zoo.leads_to(LION, marked) == target


@pytest.mark.parametrize(
    "marked",
    [
        "unknown.|weight",  # of a value of which no more is said than that it is something
        "strange.|weight",
        "5.|shout",  # an extension of another type
        "start = |meal",  # what the class is made with is nobody else's business
    ],
)
def test_what_is_not_known_stays_unlinked(zoo: Project, marked: str) -> None:
    assert zoo.link(LION, marked) is None


def test_what_a_constructor_is_given_comes_before_the_property_of_that_name(zoo: Project) -> None:
    assert zoo.link(ANIMAL, "val lunch: F = |lunch") is None
    assert zoo.leads_to(ANIMAL, "{ |lunch.weight()") == f"{ANIMAL}:6 lunch"


def test_an_extension_counts_where_it_is_imported() -> None:
    files = {
        "a/E.kt": "package a\nfun String.go() = 1\n",
        "b/B.kt": 'package b\nfun f() = "x".go()\n',
        "c/C.kt": 'package c\nimport a.go\nfun f() = "x".go()\n',
    }
    project = Project(files)
    assert project.link("b/B.kt", '"x".|go') is None
    assert project.leads_to("c/C.kt", '"x".|go') == "a/E.kt:2 go"


def test_an_extension_may_be_called_like_a_part_of_a_package() -> None:
    files = {
        "a/A.kt": "package o.p.a\nclass A\n",
        "c/E.kt": "package c\nimport o.p.a.A\nfun <T : Any> A.b() {}\n",
        "c/M.kt": "package c\nfun <T : X> o.p.a.b.K.more(): Y<T> { gone(Z) }\n",
    }
    assert Project(files).link("c/M.kt", "{ |gone(Z)") is None
