"""The supported languages, each with its grammar, its queries and its expression rules."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib import import_module, resources
from posixpath import splitext
from typing import TYPE_CHECKING, cast

from commonplace.codegraph.extraction import c_repairs, repairs
from commonplace.codegraph.extraction.c_shapes import C_RULES
from commonplace.codegraph.extraction.matches import CaptureRole, role_of
from commonplace.codegraph.extraction.repairs import Repair
from commonplace.codegraph.extraction.shape_rules import (
    CSHARP,
    ECMASCRIPT,
    GO,
    JAVA,
    KOTLIN,
    NONE,
    PYTHON,
    RUST,
    SCALA,
    SWIFT,
)
from commonplace.codegraph.extraction.shapes import ShapeRules

if TYPE_CHECKING:
    import tree_sitter
    from tree_sitter import Query


@dataclass(frozen=True, slots=True)
class Language:
    """A language. `queries` are concatenated; `rules` turn expressions into shapes.

    `dynamic`: a module exports all its names, and a class has the members of its instances.
    `bare_members`: members of a class, own or inherited, are used without `this`.
    `packaged`: the files of a folder see each other's names.
    `extended`: types get members outside of their declarations.
    `functions`: there are functions besides methods.
    `by_name`: imports are not read; other files are linked by name.
    `component`: only the scripts are read, and the component is the file's default export.
    `conditional`: code has alternatives under `#if`.
    `including`: a file sees the text of the files that it includes.
    `quoted_types`: a type may be a string.
    `repairs` mask valid code that the grammar cannot parse; `masks` code that it misreads.
    """

    name: str
    extensions: tuple[str, ...]
    grammar: str
    queries: tuple[str, ...]
    rules: ShapeRules
    entry: str = "language"
    dynamic: bool = False
    bare_members: bool = False
    repairs: tuple[Repair, ...] = ()
    masks: tuple[Repair, ...] = ()
    conditional: bool = False
    packaged: bool = False
    extended: bool = False
    functions: bool = False
    by_name: bool = False
    component: bool = False
    including: bool = False
    quoted_types: bool = False


LANGUAGES = (
    Language("ts", (".ts", ".mts", ".cts"), "tree_sitter_typescript",
             ("ecmascript", "typescript"), ECMASCRIPT, "language_typescript",
             repairs=repairs.TYPESCRIPT),
    Language("tsx", (".tsx",), "tree_sitter_typescript",
             ("ecmascript", "typescript", "jsx"), ECMASCRIPT, "language_tsx",
             repairs=repairs.TYPESCRIPT + repairs.ELEMENTS),
    Language("js", (".js", ".mjs", ".cjs", ".jsx"), "tree_sitter_javascript",
             ("ecmascript", "javascript", "jsx"), ECMASCRIPT, repairs=repairs.ELEMENTS),
    Language("python", (".py", ".pyi"), "tree_sitter_python", ("python",), PYTHON, dynamic=True,
             quoted_types=True),
    Language("java", (".java",), "tree_sitter_java", ("java",), JAVA, bare_members=True,
             repairs=repairs.JAVA),
    Language("go", (".go",), "tree_sitter_go", ("go",), GO, packaged=True, extended=True),
    Language("rust", (".rs",), "tree_sitter_rust", ("rust",), RUST, dynamic=True,
             extended=True, repairs=repairs.RUST),
    Language("kotlin", (".kt", ".kts"), "tree_sitter_kotlin", ("kotlin",), KOTLIN,
             bare_members=True, extended=True, functions=True, repairs=repairs.KOTLIN,
             masks=repairs.KOTLIN_ALWAYS),
    Language("c", (".c", ".h"), "tree_sitter_c", ("c",), C_RULES, bare_members=True,
             functions=True, by_name=True, conditional=True, including=True,
             masks=c_repairs.MASKS, repairs=c_repairs.REPAIRS),
    Language("cpp", (".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx", ".inl", ".ipp", ".tcc"),
             "tree_sitter_cpp", ("c", "cpp"), C_RULES, bare_members=True, functions=True,
             by_name=True, conditional=True, including=True, masks=c_repairs.MASKS,
             repairs=c_repairs.REPAIRS),
    Language("csharp", (".cs",), "tree_sitter_c_sharp", ("csharp",), CSHARP,
             bare_members=True, functions=True, conditional=True),
    Language("ruby", (".rb", ".rake"), "tree_sitter_ruby", ("ruby",), NONE,
             bare_members=True, functions=True, by_name=True),
    Language("php", (".php",), "tree_sitter_php", ("php",), NONE, "language_php", by_name=True),
    Language("swift", (".swift",), "tree_sitter_swift", ("swift",), SWIFT, bare_members=True,
             functions=True, by_name=True),
    Language("scala", (".scala", ".sc"), "tree_sitter_scala", ("scala",), SCALA, bare_members=True,
             functions=True, by_name=True),
    Language("dart", (".dart",), "tree_sitter_dart", ("dart",), NONE, by_name=True),
    Language("lua", (".lua",), "tree_sitter_lua", ("lua",), NONE, by_name=True),
    Language("shell", (".sh", ".bash"), "tree_sitter_bash", ("bash",), NONE, by_name=True),
    Language("sql", (".sql",), "tree_sitter_sql", ("sql",), NONE, by_name=True),
    Language("vue", (".vue",), "tree_sitter_typescript", ("ecmascript", "typescript"), ECMASCRIPT,
             "language_typescript", repairs=repairs.TYPESCRIPT, component=True),
    Language("svelte", (".svelte",), "tree_sitter_typescript", ("ecmascript", "typescript"),
             ECMASCRIPT, "language_typescript", repairs=repairs.TYPESCRIPT, component=True),
)  # fmt: skip

_BY_EXTENSION = {extension: each for each in LANGUAGES for extension in each.extensions}


BARE_MEMBERS = frozenset(each.name for each in LANGUAGES if each.bare_members)
# Languages that are linked by name if types do not tell; and those that share headers (KIN).
BY_NAME = frozenset(each.name for each in LANGUAGES if each.by_name)
FUNCTIONS = frozenset(each.name for each in LANGUAGES if each.functions)
COMPONENTS = frozenset(each.name for each in LANGUAGES if each.component)
KIN = {"cpp": "c"}
PACKAGED = frozenset(each.name for each in LANGUAGES if each.packaged)
EXTENDED = frozenset(each.name for each in LANGUAGES if each.extended)
INCLUDING = frozenset(each.name for each in LANGUAGES if each.including)
DYNAMIC = frozenset(each.name for each in LANGUAGES if each.dynamic)
# Files that stand for their folder, by name without extension.
FOLDER_FILES = frozenset({"index", "__init__", "mod", "package-info"})


_CPP_ONLY = re.compile(
    rb"^[ \t]*+(?:(?:inline[ \t]++)?namespace[ \t]++\w[\w:]*+\s*+\{|template[ \t]*+<"
    rb"|class[ \t]++(?:\w++[ \t]++)?\w++[ \t]*+(?:final[ \t]*+)?(?:;|\s*+(?::[^:]|\{))"
    rb"|struct[ \t]++(?:\w++[ \t]++)?\w++[ \t]*+(?:final[ \t]*+)?:[ \t]*+[a-zA-Z_]"
    rb"|using[ \t]++(?:namespace\b|\w++[ \t]*+=|\w++::)|(?:public|private|protected)[ \t]*+:)"
    rb"|\bstd::\w|\bconstexpr[ \t]",
    re.MULTILINE,
)


def dialect_of(language: Language, path: str, source: bytes) -> Language:
    """The language of a header, whose name is the same in C and C++."""
    if language.name == "c" and path.endswith(".h") and _CPP_ONLY.search(source):
        return next(each for each in LANGUAGES if each.name == "cpp")
    return language


def family_of(language: str) -> str:
    """The family of a language: languages of one family, such as C and C++, share headers."""
    return KIN.get(language, language)


def language_of(path: str) -> Language | None:
    """The language of a file by its extension, or None if it is not supported."""
    return _BY_EXTENSION.get(splitext(path)[1].lower())


@dataclass(frozen=True, slots=True)
class Tools:
    """A compiled query, and the role of each of its patterns."""

    grammar: tree_sitter.Language
    query: Query
    roles: tuple[CaptureRole, ...]


@cache
def tools_of(language: Language) -> Tools:
    """Compile the query of a language; done on first use, as loading a grammar takes time."""
    import tree_sitter

    grammar = tree_sitter.Language(getattr(import_module(language.grammar), language.entry)())
    folder = resources.files("commonplace.codegraph.extraction") / "queries"
    source = "\n".join((folder / f"{name}.scm").read_text() for name in language.queries)
    query = tree_sitter.Query(grammar, source)
    text = source.encode()
    roles = tuple(
        role_of(
            text[query.start_byte_for_pattern(each) : query.end_byte_for_pattern(each)].decode()
        )
        for each in range(cast("int", query.pattern_count))  # its stub says: a method
    )
    return Tools(grammar, query, roles)
