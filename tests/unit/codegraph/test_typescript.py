"""TypeScript and JavaScript: where each name of a small project leads, and how that is known."""

from __future__ import annotations

import pytest

from commonplace.codegraph.extraction.facts import Kind
from commonplace.codegraph.resolution.linking import Resolution
from tests.unit.codegraph.project import Project

SHOP = {
    "src/money.ts": """
        /** An amount in cents. */
        export class Money {
          static zero(): Money { return new Money(0); }
          constructor(readonly cents: number) {}
          plus(other: Money): Money { return new Money(this.cents + other.cents); }
          get whole(): Money { return this; }
        }
        export const format = (money: Money): string => String(money.cents);
        const format2 = format;
        export default format2;
        """,
    "src/order.ts": """
        import render, { Money, format as show } from './money.js';
        import * as money from './money';
        export interface Line { price: Money; note?: string }
        export class Order extends Base<Line> {
          lines: Line[] = [];
          total(): Money {
            let sum = Money.zero();
            for (const line of this.lines) { sum = sum.plus(line.price); }
            this.lines.map(each => each.note);
            return sum.whole.plus(sum);
          }
          print() { const { price: first } = this.lines[0]; return show(first.plus(first)); }
        }
        class Base<T> { protected items: T[] = []; first(): T { return this.items[0]; } }
        new Order().first().price.plus(money.Money.zero());
        function shadow(format: (m: Money) => string, plus: number) { return format(plus); }
        export { Order as Purchase };
        render(new Money(1));
        unknownThing.plus(1);
        """,
    "src/index.ts": "export * from './order';\nexport * as cash from './money';\n",
    "app/main.ts": """
        import { Purchase, cash } from 'shop';
        import { Line } from '~/order';
        const order = new Purchase();
        order.total().plus(cash.Money.zero());
        const line: Line = order.lines.find(x => x.price)!;
        """,
    "package.json": """
        {"name": "shop", "exports": {".": {"import": "./dist/index.js", "types": "./src/index.ts"}}}
        """,
    "tsconfig.json": '{"compilerOptions": {"paths": {"~/*": ["./src/*"],}}} // trailing',
}


@pytest.fixture(scope="module")
def shop() -> Project:
    return Project(SHOP)


@pytest.mark.parametrize(
    ("path", "marked", "expected"),
    [
        ("src/order.ts", "import |render", "src/money.ts:10 format2"),
        ("src/order.ts", "format as |show", "src/money.ts:9 format"),
        ("src/order.ts", "* as |money", "src/money.ts"),
        ("src/order.ts", "price: |Money;", "src/money.ts:3 Money"),
        ("src/order.ts", "extends |Base", "src/order.ts:15 Base"),
        ("src/order.ts", "sum = Money.|zero", "src/money.ts:4 zero"),
        ("src/order.ts", "of this.|lines", "src/order.ts:6 lines"),
        ("src/order.ts", "line.|price", "src/order.ts:4 price"),
        ("src/order.ts", "= sum.|plus(line", "src/money.ts:6 plus"),
        ("src/order.ts", "each => each.|note", "src/order.ts:4 note"),
        ("src/order.ts", "sum.|whole", "src/money.ts:7 whole"),
        ("src/order.ts", "sum.whole.|plus", "src/money.ts:6 plus"),
        ("src/order.ts", "first.|plus(first)", "src/money.ts:6 plus"),
        ("src/order.ts", "return |show(", "src/money.ts:9 format"),
        ("src/order.ts", "new Order().|first()", "src/order.ts:15 first"),
        ("src/order.ts", "first().|price.plus", "src/order.ts:4 price"),
        ("src/order.ts", "price.|plus(money", "src/money.ts:6 plus"),
        ("src/order.ts", "money.|Money.zero", "src/money.ts:3 Money"),
        ("src/order.ts", "Order as |Purchase", "src/order.ts:5 Order"),
        ("src/order.ts", "return |format(plus)", ""),
        ("src/order.ts", "unknownThing.|plus", ""),
        ("app/main.ts", "|Purchase, cash", "src/order.ts:5 Order"),
        ("app/main.ts", ", |cash }", "src/money.ts"),
        ("app/main.ts", "{ |Line }", "src/order.ts:4 Line"),
        ("app/main.ts", "order.|total()", "src/order.ts:7 total"),
        ("app/main.ts", "total().|plus", "src/money.ts:6 plus"),
        ("app/main.ts", "cash.Money.|zero", "src/money.ts:4 zero"),
        ("app/main.ts", "x => x.|price", "src/order.ts:4 price"),
    ],
)
def test_a_name_leads_to_its_definition(
    shop: Project, path: str, marked: str, expected: str
) -> None:
    assert shop.leads_to(path, marked) == expected


@pytest.mark.parametrize(
    ("path", "marked", "resolution"),
    [
        ("src/order.ts", "extends |Base", Resolution.SCOPE),
        ("src/order.ts", "sum = |Money.zero", Resolution.IMPORT),
        ("src/order.ts", "= sum.|plus(line", Resolution.MEMBER),
        ("src/order.ts", "new Order().|first()", Resolution.INHERITED),
    ],
)
def test_a_link_says_how_it_is_known(
    shop: Project, path: str, marked: str, resolution: Resolution
) -> None:
    link = shop.link(path, marked)
    assert link is not None
    assert link.resolution is resolution
    assert 0.9 <= link.confidence <= 1


def test_a_name_that_may_mean_two_things_lists_both_with_less_confidence() -> None:
    source = """
        interface Cat { speak(): void }
        interface Dog { speak(): void }
        export function hear(pet: Cat | Dog) { pet.speak(); }
        """
    link = Project({"pets.ts": source}).link("pets.ts", "pet.|speak")
    assert link is not None
    assert len(link.targets) == 2
    assert link.confidence < 0.6


def test_a_definition_has_its_kind_signature_and_comment(shop: Project) -> None:
    money = {
        each.name: each
        for each in shop.facts["src/money.ts"].definitions
        if each.kind is not Kind.PARAMETER
    }
    assert money["Money"].kind is Kind.CLASS
    assert money["Money"].doc == "An amount in cents."
    assert money["Money"].exported
    assert money["plus"].kind is Kind.METHOD
    assert money["plus"].signature == "plus(other: Money): Money"
    assert money["plus"].path == "Money.plus"
    assert money["zero"].static
    assert money["cents"].kind is Kind.FIELD
    assert not money["format2"].exported


def test_a_test_is_a_symbol_with_its_title() -> None:
    facts = Project({"a.test.ts": "test('adds up', () => {});\nit.skip('waits', f);\n"}).facts
    tests = [each.name for each in facts["a.test.ts"].definitions if each.kind is Kind.TEST]
    assert tests == ["adds up", "waits"]


def test_javascript_classes_and_jsx_are_read() -> None:
    project = Project(
        {
            "panel.jsx": """
                export class Panel extends Frame {
                  title = 'x';
                  render() { return <Frame><ui.Button /></Frame>; }
                }
                class Frame { open() {} }
                """,
            "page.jsx": """
                import { Panel } from './panel';
                const page = () => <Panel />;
                new Panel().open();
                """,
        }
    )
    assert project.leads_to("page.jsx", "<|Panel") == "panel.jsx:2 Panel"
    assert project.leads_to("page.jsx", "Panel().|open") == "panel.jsx:6 open"
    assert project.leads_to("panel.jsx", "return <|Frame") == "panel.jsx:6 Frame"
    assert project.leads_to("panel.jsx", "extends |Frame") == "panel.jsx:6 Frame"
