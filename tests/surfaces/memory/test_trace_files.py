"""What `trace` answers about lines, files and folders, and about what they pass on."""

from __future__ import annotations

import pytest

from tests.reading.test_git_log import git
from tests.surfaces.memory.home import Home

TRACE = "trace"
TAGS = {
    "src/tag.ts": """export interface Tag {
  name: string;
  make(): string;
}
export class Tags {
  #all: Tag[] = [];
  constructor(first: Tag) {
    Object.defineProperty(this, 'size', { value: 1 });
    this.add(first);
  }
  add(tag: Tag) { this.#all.push(tag); }
}
""",
    "src/known.ts": """import type { Tag } from './tag.ts';

export const bold: Tag = {
  name: 'b',
  make() { return wrap('b'); },
};
const none: Tag | undefined = undefined;
function wrap(name: string) { return name; }
""",
    "src/index.ts": "export { bold } from './known.ts';\nexport * from './tag.ts';\n",
    "test/tag.test.ts": """import { bold, Tags } from '../src/index.ts';

test('bold', () => {
  new Tags(bold).add(bold);
});
""",
}
PACKAGE = {
    "zoo/__init__.py": "from zoo.store import Store as Store\nfrom zoo.keep import keep\n",
    "zoo/store.py": "import zoo.keep\n\nclass Store:\n    def save(self): ...\n",
    "zoo/keep.py": """from zoo import Store
from zoo.names import first
from zoo.store import Store as Own


def keep(inner: Store):
    def save(): ...
    return save()
""",
    "zoo/names.py": "from zoo.keep import keep\n\n\ndef first(): ...\n",
}
GOING = {
    "go.mod": "module tea\n",
    "tea.go": """package tea

type Model interface {
	View() string
}

func Quit() {}

type Program struct{}

func (p *Program) Quit() { Quit() }
""",
    "list.go": """package tea

// A list.
type List struct {
	inner Model
}

func (l List) View() string { return "" }

func (l List) Len() int { return 0 }

func (l List) size() int { return 0 }

type Page struct{}

func (p Page) View() string { return show(p) }

func show(m Model) string { return m.View() }
""",
}


def trace(home: Home, symbol: str, ask: str | None = None, **given: object) -> list[str]:
    asked = {"ask": ask} if ask else {}
    return home.alice.text(TRACE, symbol=symbol, **asked, **given).splitlines()


@pytest.mark.requirement("memory.trace.line")
@pytest.mark.parametrize(
    ("place", "symbol"),
    [
        ("src/known.ts:5", "src/known.ts#bold.make method, line 5"),
        ("src/tag.ts:8", "src/tag.ts#Tags.constructor constructor, line 7"),
        ("tag.ts:3", "src/tag.ts#Tag.make method, line 3"),
        ("/builds/code/src/tag.ts:9:5", "src/tag.ts#Tags.constructor constructor, line 7"),
        ("src/tag.ts#L5-12", "src/tag.ts#Tags class, line 5"),
        ("src/known.ts:1", "src/known.ts#known module, line 1"),
    ],
)
def test_a_line_means_the_symbol_there(home: Home, place: str, symbol: str) -> None:
    home.project("tags", TAGS)
    assert trace(home, place, "definition")[0].startswith(f"symbol:tags/{symbol}")


@pytest.mark.requirement("memory.trace.line")
def test_callers_of_a_line_are_those_of_its_symbol(home: Home) -> None:
    home.project("tags", TAGS)
    lines = trace(home, "who calls src/known.ts:8?")
    assert lines[:2] == ["symbol:tags/src/known.ts#wrap function, line 8, 1 use", "callers: 1"]
    assert trace(home, "src/known.ts:8")[1] == "  function wrap(name: string) { return name; }"
    refused = home.alice.refusal(TRACE, symbol="src/none.ts:8", ask="callers")
    assert refused["message"] == "No symbol is called src/none.ts:8."


@pytest.mark.requirement("memory.trace.whole-file")
def test_a_file_is_asked_about_as_a_whole(home: Home) -> None:
    home.project("tags", TAGS)
    tests = trace(home, "tests for src/tag.ts")
    assert tests[0] == "file:tags/src/tag.ts"
    assert tests[1].startswith("tests: 1; 1 directly")
    assert tests[2].startswith("tags/test/tag.test.ts:4 bold (test")
    impact = trace(home, "src/known.ts", "impact")
    assert impact[0] == "file:tags/src/known.ts"
    assert any("tags/test/tag.test.ts:4 bold (read" in line for line in impact[2:])


@pytest.mark.requirement("memory.trace.made-for")
def test_objects_that_are_made_for_a_type_implement_it(home: Home) -> None:
    home.project("tags", TAGS)
    lines = trace(home, "Tag", "implementations")
    assert lines[1] == "implementations: 1"
    assert lines[2].startswith("tags/src/known.ts:3 bold (made for it 0.99) depth 1")


@pytest.mark.requirement("memory.trace.passed-on")
def test_an_outline_says_what_a_file_passes_on(home: Home) -> None:
    home.project("tags", TAGS)
    home.project("zoo", PACKAGE)
    lines = trace(home, "src/index.ts", "outline")
    assert lines[1:] == [
        "outline: 1; 0 offered to others, 0 not, 1 passed on",
        "tags/src/index.ts:1 bold constant, passed on | export { bold } from './known.ts';",
    ]
    package = trace(home, "zoo/__init__.py", "outline")
    assert package[1] == "outline: 2; 0 offered to others, 0 not, 2 passed on"
    assert package[2].startswith("zoo/zoo/__init__.py:1 Store class, passed on")


@pytest.mark.requirement("memory.trace.files")
def test_an_outline_leaves_out_objects_that_functions_make(home: Home) -> None:
    home.project("tags", TAGS)
    told = "\n".join(trace(home, "src/tag.ts", "outline"))
    assert "Tags.add method" in told
    assert "value" not in told.replace("{ value: 1 }", "")


@pytest.mark.requirement("memory.trace.files")
def test_an_importer_is_shown_with_the_line_that_names_the_file(home: Home) -> None:
    home.project("zoo", PACKAGE)
    lines = trace(home, "zoo/store.py", "importers")
    (keep,) = [line for line in lines if line.startswith("zoo/zoo/keep.py")]
    assert keep.startswith("zoo/zoo/keep.py:3 (import")


@pytest.mark.requirement("memory.trace.cycles", "memory.trace.words")
def test_every_file_that_is_on_a_cycle_is_on_one_that_is_told(home: Home) -> None:
    home.project("zoo", PACKAGE)
    lines = trace(home, "import cycles in .")
    assert lines[0].startswith("cycles: 3; 4 files import themselves through others, in 1 set;")
    told = "\n".join(lines[1:])
    assert all(name in told for name in ("__init__.py", "store.py", "keep.py", "names.py"))


@pytest.mark.requirement("memory.trace.one-of-namesakes")
def test_what_stands_directly_in_a_file_comes_before_what_is_inside(home: Home) -> None:
    home.project("going", GOING)
    home.project("zoo", PACKAGE)
    assert trace(home, "tea.Quit", "callers", project="going")[:2] == [
        "symbol:going/tea.go#Quit function, line 7, 1 use",
        "callers: 1",
    ]
    first, _, second, *_ = trace(home, "save", project="zoo")
    assert "#Store.save method" in first
    assert "#keep.save function" in second


@pytest.mark.requirement("memory.trace.types")
def test_a_type_that_has_the_methods_is_shown_with_its_own_line(home: Home) -> None:
    home.project("going", GOING)
    line, _ = trace(home, "Model", "implementations", project="going")[2:]
    assert line == "going/list.go:4 List (has its methods 0.80) depth 1 | type List struct {"


@pytest.mark.requirement("memory.trace.unused")
def test_what_go_offers_is_told_by_its_name_and_methods_of_interfaces_are_used(home: Home) -> None:
    home.project("going", GOING)
    first, *lines = trace(home, "unused code in .")
    assert first == "unused: 3 in 2 files; 1 without a known use, 2 offered to others"
    told = [line.split(" | ")[0] for line in lines]
    assert told[0] == "going/list.go:12 List.size"
    assert "going/list.go:10 List.Len, others may use it" in told
    assert not any(".View" in line for line in told), "calls of Model.View may run it"


@pytest.mark.requirement("memory.trace.types", "memory.trace.path")
def test_a_place_is_not_shown_with_a_line_that_has_the_name_by_chance(home: Home) -> None:
    files = {
        "zoo.py": "class Cat: ...\n\nclass Big(Cat): ...\n\nclass Lion(Big):\n"
        '    """A Cat with a mane."""\n\n'
        "def roar():\n    call()\n\ndef roar_again(): ...\n\ndef call(): ...\n"
    }
    home.project("zoo", files)
    assert trace(home, "Cat", "subclasses")[-1].endswith("| class Lion(Big):")
    assert trace(home, "roar", "path", to="call")[2].endswith("| call()")


@pytest.mark.requirement("memory.trace.since")
def test_a_folder_comes_before_a_symbol_of_its_name(home: Home) -> None:
    files = {"src/parse/lexer.py": "def lex(): ...\n", "src/api.py": "def parse(): ...\n"}
    home.project("yaml", files)
    git(home.folder / "yaml", "init", "-q", "-b", "main")
    git(home.folder / "yaml", "add", "-A")
    git(home.folder / "yaml", "commit", "-qm", "Begin", day="2024-05-01")
    lines = trace(home, "what changed in src/parse since 2020-01-01")
    assert lines[0] == "history since 2020-01-01: 1"
    assert lines[1].endswith("Begin | src/api.py, src/parse/lexer.py")


@pytest.mark.requirement("memory.trace.history")
def test_a_long_history_names_fewer_files(home: Home) -> None:
    folder = home.folder / "wide"
    names = [f"src/a_module_with_a_long_name_{number}.py" for number in range(8)]
    home.project("wide", dict.fromkeys(names, "def one(): ...\n"))
    git(folder, "init", "-q", "-b", "main")
    for number in range(12):
        for name in names:
            (folder / name).write_text(f"def one(): return {number}\n")
        git(folder, "add", "-A")
        git(folder, "commit", "-qm", f"Change {number}", day=f"2024-05-{number + 1:02}")
    lines = trace(home, "history of src")
    assert lines[0] == "history: 12"
    assert lines[1].endswith(f"Change 11 | {', '.join(names[:3])} and 5 more")
    assert len("\n".join(lines)) <= 2_500
