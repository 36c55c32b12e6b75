"""Small projects in five languages, and random edits of them: parts of files that come and go."""

from __future__ import annotations

import re
from collections.abc import Mapping
from string import Formatter

from hypothesis import strategies as st

Files = Mapping[str, tuple[str, ...]]

_CHOICES: Mapping[str, tuple[str, ...]] = {
    "A": ("Ant", "Bee", "Cat"),
    "B": ("Ant", "Bee", "Cat"),
    "C": ("Ant", "Bee", "Cat", "Gnu"),
    "f": ("find", "give", "hold"),
    "g": ("find", "give", "hold"),
    "m": ("move", "next", "open"),
    "n": ("move", "next", "open", "find"),
    "v": ("value", "wanted", "next"),
    "p": ("p", "q"),
    "r": ("p", "q"),
    "o": ("one", "two", "three"),
}

_TYPESCRIPT = (
    "export class {A} {{ {m}(): {B} {{ return new {B}(); }} {v}: {C}; }}",
    "export class {A} extends {B} {{ {m}() {{ return this.{n}(); }} }}",
    "export class {A} extends {B} {{ static {n}() {{ return {f}(); }} }}",
    "export interface {A} {{ {m}: {B}; {n}(): {A}; }}",
    "export interface {A} extends {B} {{ {v}: {C} }}",
    "export type {A} = {B};",
    "export enum {A} {{ {m}, {n} }}",
    "export function {f}(): {A} {{ return new {B}(); }}",
    "export function {f}() {{ const {v} = {g}(); return {v}; }}",
    "export function {f}({v}: {A}) {{ return {v}.{m}(); }}",
    "function {f}(): {A} {{ return {g}(); }}",
    "export const {f} = {{ {m}: () => new {A}(), {n}: {g} }};",
    "export const {f} = ({v}: {A}) => {v}.{m};",
    "import {{ {A}, {f} }} from './{o}';",
    "import {{ {f} as {g} }} from './{o}';",
    "import * as {f} from './{o}';",
    "import {f} from './{o}';",
    "export * from './{o}';",
    "export {{ {A} as {B} }} from './{o}';",
    "export {{ {f} }};",
    "export default {f};",
    "{f}().{m}().{n}();",
    "{f}({g}).{v};",
    "new {A}().{m}().{n}();",
    "{f}.{g}().{m}();",
    "{f}.{m}().{n}();",
    "export function {f}(use: (one: {A}, other: {B}) => void) {{ use({g}()); }}",
    "{f}(({v}) => {v}.{m}());",
    "const {v}: {A} = {f}(); {v}.{m}();",
    "[{f}()].map(({v}) => {v}.{m}());",
)
_PYTHON = (
    "class {A}:\n    def {m}(self) -> {B}:\n        return {f}()",
    "class {A}({B}):\n    def {m}(self):\n        return self.{n}()",
    "class {A}:\n    def __init__(self):\n        self.{v} = {B}()\n    {n} = {C}()",
    "def {f}() -> {A}:\n    return {B}()",
    "def {f}():\n    {v} = {g}()\n    return {v}",
    "def {f}({v}: {A}):\n    return {v}.{m}()",
    "from .{o} import {A}, {f}",
    "from .{o} import {f} as {g}",
    "from .{o} import *",
    "from . import {o}\n{o}.{f}().{m}()",
    "{v} = {A}().{m}()\n{v}.{n}()",
    "{f}().{m}().{v}",
    "{f} = {g}",
)
_JAVA = (
    "class {A} {{ {B} {v}; {C} {m}() {{ return {v}.{n}(); }} }}",
    "class {A} extends {B} {{ {C} {m}({B} {v}) {{ return {n}({v}); }} }}",
    "interface {A} extends {B} {{ {C} {m}(); }}",
    "class {A} {{ static {B} {f}() {{ return new {B}(); }} {A} {m}() {{ return {f}().{n}(); }} }}",
    "class {A} {{ private {B} {m}({B} x) {{ return x; }} {C} {m}({C} x) {{ return x.{n}(x); }} }}",
    "class {A} {{ void {m}({B} x) {{ x.{m}(x); x.{n}(new {A}()).{v}.{m}(x); }} }}",
    "class {A} {{ {B} {m}({B} x) {{ return x; }} static class {C} extends {B} {{ }} }}",
    "class {A} {{ @Test {B} {m}() {{ var {v} = new {B}().{m}(); return {v}.{n}(); }} }}",
)
_GO = (
    "type {A} struct {{ {v} {B} }}",
    "type {A} struct {{ {B}; {v} *{C} }}",
    "type {A} interface {{ {m}() {B} }}",
    "type {A} {B}",
    "func ({p} *{A}) {m}() {B} {{ return {p}.{v}.{n}() }}",
    "func ({p} {A}) {m}() []{B} {{ return {p}.{n}()[0].{m}() }}",
    "func {f}() (*{A}, error) {{ return {g}() }}",
    "func {f}() {A} {{ {v} := {g}(); {v}.{m}(); return {v} }}",
    "func {f}({v} {A}) {{ {v}.{m}().{n}(); {g}().{m}() }}",
    "var {f} = {g}()",
)
_RUST = (
    "pub struct {A} {{ {v}: {B} }}",
    "pub enum {A} {{ {B}, {C}(u8) }}",
    "pub trait {A} {{ fn {m}(&self) -> {B}; fn {n}(&self) {{ self.{m}() }} }}",
    "impl {A} {{ pub fn {m}(&self) -> {B} {{ self.{v}.{n}() }} }}",
    "impl {A} for {B} {{ fn {m}(&self) -> {C} {{ Self::{n}() }} }}",
    "pub fn {f}() -> Option<{A}> {{ {g}() }}",
    "pub fn {f}({v}: &{A}) {{ {v}.{m}().{n}(); assert!({g}().{m}()); }}",
    "pub use {o}::{{{A}, {f} as {g}}};",
    "pub use {o}::*;",
    "type {A} = {B};",
)
_HEADS = {
    "rs": ("mod {o};\nuse {o}::*;", "mod {o};\nuse {o}::{{{A}, {f}}};"),
    "go": ("package p",),
    "ts": ("import {{ {A}, {f}, Gnu }} from './{o}';", "import {{ Ant, Bee, find }} from './{o}';"),
    "py": ("from .{o} import {A}, {f}", "from .{o} import Ant, Bee, find, give"),
    "java": ("import {r}.{A};", "import {r}.*;", "import static {r}.{A}.{f};"),
}
_USES = {
    "ts": "{f}().{m}().{n}(); {f}.{m}().{n}(); {f}(({v}) => {v}.{m}());",
    "py": "{f}().{m}().{n}()",
    "rs": "fn last() {{ {f}().{m}().{n}(); {A}::{m}(); }}",
    "go": "func init() {{ {f}().{m}().{n}() }}",
}
_PACKAGE = "package {p};"
_LANGUAGES = {"ts": _TYPESCRIPT, "py": _PYTHON, "java": _JAVA, "go": _GO, "rs": _RUST}
_STEMS = _CHOICES["o"]
_WORD = re.compile(r"\w+")


def _filled(draw: st.DrawFn, part: str) -> str:
    keys = {key for _, key, _, _ in Formatter().parse(part) if key}
    return part.format(**{key: draw(st.sampled_from(_CHOICES[key])) for key in sorted(keys)})


def _part(draw: st.DrawFn, ending: str) -> str:
    return _filled(draw, draw(st.sampled_from(_LANGUAGES[ending])))


def _file(draw: st.DrawFn, ending: str) -> tuple[str, ...]:
    heads = [_filled(draw, _PACKAGE)] if ending == "java" else []
    heads += [_filled(draw, draw(st.sampled_from(_HEADS[ending])))]
    parts = [_part(draw, ending) for _ in range(draw(st.integers(2, 4)))]
    return (*heads, *parts, *(_filled(draw, _USES[ending]) for _ in heads if ending in _USES))


def _respelled(draw: st.DrawFn, part: str) -> str:
    """With another name somewhere: another type, another base, another member."""
    words = [each for each in _WORD.finditer(part) if _namesakes(each[0])]
    if not words:
        return part
    word = draw(st.sampled_from(words))
    other = draw(st.sampled_from(_namesakes(word[0])))
    return part[: word.start()] + other + part[word.end() :]


def _namesakes(word: str) -> list[str]:
    return sorted({name for names in _CHOICES.values() if word in names for name in names} - {word})


def _edited(draw: st.DrawFn, ending: str, parts: tuple[str, ...]) -> tuple[str, ...]:
    """A part spelled otherwise; one more, one less, or another one in its place."""
    first = 1 if ending in {"java", "go"} else 0  # a package has its own name
    place = draw(st.integers(first, max(first, len(parts) - 1)))
    before, after = parts[:place], parts[place + 1 :]
    match draw(st.sampled_from(("spelled", "spelled", "added", "removed", "replaced"))):
        case "spelled":
            spelled = tuple(_respelled(draw, part) for part in parts[place : place + 1])
            return before + spelled + after
        case "added":
            return (*before, _part(draw, ending), *parts[place:])
        case "removed":
            return before + after
        case _:
            return (*before, _part(draw, ending), *after)


@st.composite
def edited_projects(draw: st.DrawFn) -> list[dict[str, str]]:
    """A project in one language, and what it becomes by edits of one file each."""
    ending = draw(st.sampled_from(sorted(_LANGUAGES)))
    files = {f"{stem}.{ending}": _file(draw, ending) for stem in _STEMS}
    versions = [files]
    for _ in range(draw(st.integers(1, 4))):
        path = draw(st.sampled_from(sorted(files)))
        files = files | {path: _edited(draw, ending, files[path])}
        versions.append(files)
    return [{path: "\n".join(parts) for path, parts in each.items()} for each in versions]
