"""C#: where each name of a small project leads, and what stays unlinked."""

from __future__ import annotations

import pytest

from commonplace.codegraph.resolution.linking import CONFIDENCE, Resolution
from tests.unit.codegraph.project import Project

ZOO = {
    "Zoo/Animal.cs": """
        using System;
        namespace Zoo.Core {
          public abstract partial class Animal<TFood> where TFood : IFood {
            protected TFood lunch;
            public const int Legs = 4;
            public Kind Kind { get; set; }
            public virtual void Feed(TFood food) { lunch = food; }
            public void Feed(TFood food, int times) { Feed(food); }
            public void Feed(string name) { }
            public int? Weigh(int? limit) { return limit; }
            public int Weigh(int limit) => limit;
            public TFood Leftovers() => this.lunch;
          }
          public static class Animal { public static int Count() => 1; }
          public interface IFood { int Weight(); IFood Next { get; } }
          public enum Kind { Meat, Hay }
          public delegate IFood Cook(IFood raw);
          public class MarkAttribute : Attribute { public int Order { get; set; } }
        }
        """,
    "Zoo/Animal.Async.cs": """
        namespace Zoo.Core;
        public abstract partial class Animal<TFood> {
          private int hunger;
          void Rest() { hunger = 1; lunch.Weight(); }
        }
        """,
    "Zoo/Extensions.cs": """
        using System.Collections.Generic;
        using Zoo.Core;
        namespace Zoo.Tools {
          public static class Extensions {
            public static string Shout(this string text, int times = 1) => text;
            public static T Prefer<T>(this T food) where T : IFood => food;
            public static IFood Heaviest(this IEnumerable<IFood> foods) => null;
            public static int Shout(this int number) => number;
          }
        }
        """,
    "Zoo/Lion.cs": """
        using System;
        using System.Collections.Generic;
        using Zoo.Core;
        using Zoo.Tools;
        using Pot = Zoo.Core.Cook;
        using static Zoo.Core.Kind;
        namespace Zoo.Big {
          [Mark(Order = 1)]
          public class Lion : Animal<IFood> {
            private readonly List<IFood> plates = new List<IFood>();
            void Roar(IFood meal, object thing, dynamic anything) {
              Feed(meal, 2);
              var legs = Legs + Animal.Count();
              var left = Leftovers();
              left.Weight();
              left?.Next!.Weight();
              Kind = Kind.Meat;
              var hay = Hay;
              "a".Shout();
              5.Shout();
              meal.Prefer().Weight();
              plates.Heaviest().Weight();
              foreach (var plate in plates) { plate.Weight(); }
              if (thing is Lion other) { other.Roar(meal, null, null); }
              switch (thing) { case IFood some: some.Weight(); break; }
              if (Find(out var found)) { found.Weight(); }
              var query = from each in plates let next = each.Next select next.Weight();
              Pot cook = raw => raw.Next;
              cook(meal).Weight();
              Weigh((int?)3);
              Weigh(3);
              anything.Weight();
              var cub = new Cub { Age = 1 };
              Core.IFood named = meal;
              Equals(meal, left);
            }
            bool Find(out IFood found) { found = null; return true; }
            int Size { set { age = value; } }
            private int age;
            private int value;
          }
          public class Cub { public int Age; }
        }
        """,
}


@pytest.fixture(scope="module")
def zoo() -> Project:
    return Project(ZOO)


LION, ANIMAL = "Zoo/Lion.cs", "Zoo/Animal.cs"


@pytest.mark.parametrize(
    ("marked", "target"),
    [
        ("[|Mark(", f"{ANIMAL}:19 MarkAttribute"),
        (": |Animal<IFood>", f"{ANIMAL}:4 Animal"),
        ("+ |Animal.Count", f"{ANIMAL}:15 Animal"),
        ("|Feed(meal, 2)", f"{ANIMAL}:9 Feed"),
        ("left.|Weight", f"{ANIMAL}:16 Weight"),
        ("left?.|Next!", f"{ANIMAL}:16 Next"),
        ("left?.Next!.|Weight", f"{ANIMAL}:16 Weight"),
        ("|Kind = Kind.Meat", f"{ANIMAL}:7 Kind"),
        ("Kind = |Kind.Meat", f"{ANIMAL}:17 Kind"),
        ("Kind = Kind.|Meat", f"{ANIMAL}:17 Meat"),
        ("hay = |Hay", f"{ANIMAL}:17 Hay"),
        ('"a".|Shout', "Zoo/Extensions.cs:6 Shout"),
        ("5.|Shout", "Zoo/Extensions.cs:9 Shout"),
        ("meal.|Prefer", "Zoo/Extensions.cs:7 Prefer"),
        ("meal.Prefer().|Weight", f"{ANIMAL}:16 Weight"),
        ("plates.|Heaviest", "Zoo/Extensions.cs:8 Heaviest"),
        ("plates.Heaviest().|Weight", f"{ANIMAL}:16 Weight"),
        ("{ plate.|Weight", f"{ANIMAL}:16 Weight"),
        ("{ other.|Roar", f"{LION}:12 Roar"),
        ("some: some.|Weight", f"{ANIMAL}:16 Weight"),
        ("{ found.|Weight", f"{ANIMAL}:16 Weight"),
        ("each.|Next select", f"{ANIMAL}:16 Next"),
        ("select next.|Weight", f"{ANIMAL}:16 Weight"),
        ("raw => raw.|Next", f"{ANIMAL}:16 Next"),
        ("cook(meal).|Weight", f"{ANIMAL}:16 Weight"),
        ("|Weigh((int?)3)", f"{ANIMAL}:11 Weigh"),
        ("|Weigh(3)", f"{ANIMAL}:12 Weigh"),
        ("{ |Age = 1", f"{LION}:43 Age"),
        ("Core.|IFood named", f"{ANIMAL}:16 IFood"),
        ("|Pot cook", f"{ANIMAL}:18 Cook"),
    ],
)
def test_a_name_leads_to_what_it_means(zoo: Project, marked: str, target: str) -> None:
    assert zoo.leads_to(LION, marked) == target


def test_parts_of_a_type_are_one_type_and_as_sure(zoo: Project) -> None:
    link = zoo.link(LION, ": |Animal<IFood>")
    assert link is not None
    assert link.confidence == CONFIDENCE[Resolution.IMPORT]
    assert zoo.leads_to("Zoo/Animal.Async.cs", "|lunch.Weight") == f"{ANIMAL}:5 lunch"
    assert zoo.leads_to("Zoo/Animal.Async.cs", "lunch.|Weight") == f"{ANIMAL}:16 Weight"


@pytest.mark.parametrize(
    "marked",
    [
        "anything.|Weight()",  # of a value of unknown type
        "|Equals(meal, left)",  # takes one argument here: another one is meant
        "age = |value",  # what a setter is given, not the field
    ],
)
def test_what_is_not_known_stays_unlinked(zoo: Project, marked: str) -> None:
    assert zoo.link(LION, marked) is None


def test_an_extension_of_another_type_is_not_meant() -> None:
    project = Project(
        {
            "A.cs": """
            namespace A {
              public class One { } public class Two { }
              public static class E { public static void Go(this One one) { } }
              class P { void M(Two two, One one) { two.Go(); one.Go(); } }
            }
            """
        }
    )
    assert project.link("A.cs", "two.|Go") is None
    assert project.leads_to("A.cs", "one.|Go") == "A.cs:4 Go"


def test_an_extension_counts_where_its_namespace_is_used() -> None:
    files = {
        "E.cs": "namespace E { public static class X { public static void Go(this string s) {} } }",
        "A.cs": 'namespace A { class P { void M() { "a".Go(); } } }',
        "B.cs": 'using E;\nnamespace B { class P { void M() { "a".Go(); } } }',
    }
    project = Project(files)
    assert project.link("A.cs", '"a".|Go') is None
    assert project.leads_to("B.cs", '"a".|Go') == "E.cs:1 Go"


def test_a_namespace_may_be_named_as_seen_from_the_own_one() -> None:
    project = Project(
        {
            "R.cs": "namespace Zoo.Results { public class Result { public int Count; } }",
            "A.cs": "namespace Zoo.Big;\nusing Results;\nclass P { int M(Result r) => r.Count; }",
        }
    )
    assert project.leads_to("A.cs", "M(|Result") == "R.cs:1 Result"
    assert project.leads_to("A.cs", "r.|Count") == "R.cs:1 Count"
