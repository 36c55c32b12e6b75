"""TypeScript: what expressions are, where only their surroundings or type arguments say it."""

from __future__ import annotations

import pytest

from tests.unit.codegraph.project import Project

TYPES = """
    export interface User { name: string; role: Role }
    export class Role { title = ''; grants(): Role[] { return []; } }
    export type Hook = (user: User, role: Role) => void;
    export interface Options { before?: Hook[]; onDone?: (role: Role) => void; rules?: Rule[] }
    export interface Rule { test: (user: User) => boolean }
    export interface Query<T> { run(): Promise<T> }
    export interface Maker<T> { make(): T }
    export function configure(options: Options): void {}
    export function all<T extends Options[]>(...many: T): void {}
    export function each<T>(items: T[], visit: (item: T) => void): void {}
    export function once<T>(make: () => T): T { return make(); }
    export function fetchOne<T>(path: string): Promise<T> { return null as any; }
    export function define<T extends { name: string }>(setup: (made: T) => void): Maker<T>;
    export class Service { constructor(options: Options) {} }
    export const cells: Record<string, Role> = {};
    export type Table = { [K in keyof User]: string };
    export class Wide extends Outside implements Pair { constructor() { super(); } }
    export interface Pair { left: Role }
    """

CASES = [
    # A function or an object is what its place in a list wants.
    ("configure({ before: [(user) => user.|name] });", "name"),
    ("configure({ rules: [{ test: (one) => one.|role }] });", "role"),
    ("const rules: Rule[] = [{ test: (typed) => typed.|name }];", "name"),
    # ... or what a rest parameter or a constructor wants.
    ("all({}, { onDone: (rest) => rest.|title });", "title"),
    ("new Service({ onDone: (told) => told.|title });", "title"),
    # Type parameters are what the arguments make of them.
    ("each(users, (item) => item.|name);", "name"),
    ("once(() => new Role()).|title;", "title"),
    ("once(() => [new Role()])[0].|grants();", "grants"),
    # ... or what the call states,
    ("async () => (await fetchOne<User>('/')).|role;", "role"),
    ("outside<Role>('/').|title;", "title"),
    ("async () => { const got = await fetchOne<User>('/'); got.|role.title; };", "role"),
    # ... or what is wanted of the call.
    ("const maker: Maker<User> = define((made) => { made.|role; });", "role"),
    # Lists, tuples and maps.
    ("const map = new Map<string, Role>(); map.get('a').|title;", "title"),
    ("for (const [key, value] of new Map<string, Role>()) { value.|title; }", "title"),
    ("for (const [place, found] of roles.entries()) { found.|title; }", "title"),
    ("declare const pair: [User, Role]; pair[1].|title;", "title"),
    ("declare const both: [User, Role]; const [, second] = both; second.|grants();", "grants"),
    ("async () => { const [b] = await Promise.all([fetchOne<Role>('')]); b.|title };", "title"),
    ("cells.any.|title;", "title"),
    ("users[0]['role'].|title;", "title"),
    # A pattern takes members by name.
    ("const { |role: renamed } = users[0];", "role"),
    # A type over the keys of another has its members.
    ("declare const table: Table; table.|name;", "name"),
    ("const a = { one: 1 }; declare const b: { [K in keyof typeof a]: string }; b.|one;", "one"),
    # A callback of a promise gets what it resolves to, and gives what the next one gets.
    ("fetchOne<User[]>('/').then((got) => got[0].|name);", "name"),
    ("fetchOne<User>('/').then((got) => got.role).then((role) => role.|title);", "title"),
    ("async () => (await later.then((a) => fetchOne<Role>('/'))).|title;", "title"),
    # A default does not hide what a parameter gets.
    ("const hook: Hook = (user = {}, role) => user.|name;", "name"),
    ("const given: Hook = (user, role = new Role()) => role.|title;", "title"),
    ("const none = (role = new Role()) => role.|title;", "title"),
    # A constructor's parameters may be fields, and may be left out.
    ("class A { constructor(private r?: Role) {} of() { return this.r.|title; } }", "title"),
    ("class B { constructor(readonly r?: Role) {} of() { return this.r.|title; } }", "title"),
    ("class C { constructor(private r = new Role()) {} of() { return this.r.|title; } }", "title"),
    # `this` in an object is what is wanted of the object.
    ("const user: User = { name: '', role, get of() { return this.role.|title; } };", "title"),
    ("const free = { role: new Role(), of() { return this.role.|title; } };", "title"),
    # What is asked for on the way.
    ("async () => (await import('./types.js')).|fetchOne;", "fetchOne"),
    # A function from outside runs what it is given beside a generic type of functions.
    ("declare const macro: Macro<[Hook]>; outside('', macro, (u, r) => r.|grants());", "grants"),
    ("declare const other: Macro<[Hook]>; other.exec(async (u, r) => u.|role);", "role"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "expected"), CASES)
def test_an_expression_is_what_its_surroundings_say(code: str, expected: str) -> None:
    head = (
        "import { User, Role, Hook, Rule, Maker, Table, Service, configure, all, each, once,"
        " fetchOne, define, cells } from './types';\n"
        "import { Macro, outside } from 'elsewhere';\n"
        "declare const users: User[]; declare const roles: Role[];\n"
        "declare const later: Promise<User>;\n"
    )
    project = Project({"types.ts": TYPES, "use.ts": head + code.replace("|", "")})
    assert project.leads_to("use.ts", code).endswith(f" {expected}"), code


@pytest.mark.parametrize("written", ["function make() {", "const make = () => {"])
def test_a_function_gives_what_its_variable_holds(written: str) -> None:
    code = f"class A {{ first = 1 }}\n{written} const made = new A(); return made }}\nmake().first"
    assert Project({"a.ts": code}).leads_to("a.ts", "make().|first") == "a.ts:1 first"


@pytest.mark.parametrize("called", ["pick(new A())", "pick(new A(), 1)", "later(new A(), 2)"])
def test_a_parameter_may_be_left_out(called: str) -> None:
    code = f"""
        class A {{ first = 1; }}
        class B {{ second = 2; }}
        declare function pick(one: A, two?: number, three?: number): A;
        declare function pick(one: A, two: number, three: number, four: number): B;
        declare function later(one: A, two: number): A;
        declare function later(one: A): B;
        {called}.first; {called}.second;
        """
    project = Project({"a.ts": code})
    assert project.leads_to("a.ts", f"{called}.|first").endswith(" first")
    assert project.leads_to("a.ts", f"{called}.|second") == ""


@pytest.mark.parametrize(
    "code",
    [
        # What a class says it implements is not what it has.
        "new Wide().|left;",
        # A test has a title, which is no name for anything.
        "describe('spied', () => {}); |spied();",
        # Nothing is known of what a function from outside gives.
        "outside(new Role()).|title;",
    ],
)
def test_what_is_not_known_is_not_guessed(code: str) -> None:
    head = "import { Role, Wide } from './types';\nimport { outside } from 'elsewhere';\n"
    project = Project({"types.ts": TYPES, "use.ts": head + code.replace("|", "")})
    assert project.leads_to("use.ts", code) == ""


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("if (|DEBUG) {}", "types/global.d.ts:1 DEBUG"),
        ("declare const build: |Build;", "types/global.d.ts:2 Build"),
        ("|hidden;", ""),
        (
            "declare const late: Promise<Build>; async () => (await late).|id;",
            "types/global.d.ts:2 id",
        ),
    ],
)
def test_a_file_of_declarations_makes_names_known_to_all(code: str, expected: str) -> None:
    files = {
        "types/global.d.ts": "declare const DEBUG: boolean;\n"
        "interface Build { id: number }\ninterface Promise<T> { own: T }\n",
        "types/module.d.ts": "export {};\ndeclare const hidden: boolean;\n",
        "use.ts": code.replace("|", ""),
    }
    assert Project(files).leads_to("use.ts", code) == expected


@pytest.mark.parametrize("remark", ["/* why */", "// why\n"])
def test_a_comment_among_parameters_and_arguments_counts_for_nothing(remark: str) -> None:
    project = Project(
        {
            "a.ts": f"""
            class Box {{ open(): number {{ return 1; }} }}
            function each(times: number, {remark} act: (box: Box) => void): void {{}}
            function first<T>({remark} one: T): T {{ return one; }}
            each({remark} 3, {remark} (given) => given.open());
            first<{remark} Box>({remark} new Box()).open();
            const [{remark} taken] = [new Box()];
            const {{ {remark} inner, ...{remark} rest }} = {{ inner: new Box() }};
            """
        }
    )
    for written in ("given.|open()", "new Box()).|open()"):
        assert project.leads_to("a.ts", written) == "a.ts:2 open", written


def test_this_in_an_object_leads_to_the_type_that_is_wanted_of_it() -> None:
    code = """
        interface Counter { count: number; more(): void }
        const counter: Counter = { count: 0, more() { this.count += 1; } };
        const free = { count: 0, more() { this.count -= 1; } };
        """
    project = Project({"a.ts": code})
    assert project.leads_to("a.ts", "this.|count += 1") == "a.ts:2 count"
    assert project.leads_to("a.ts", "this.|count -= 1") == "a.ts:4 count"
