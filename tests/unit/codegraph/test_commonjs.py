"""Modules of Node: what `require` brings, and what `module.exports` gives."""

from __future__ import annotations

import pytest

from tests.unit.codegraph.project import Project

FILES = {
    "lib/many.js": """
        function first() { return 1; }
        const second = () => 2;
        module.exports = { first, other: second, third() { return 3; } };
    """,
    "lib/single.js": "class Single { run() { return 1; } }\nmodule.exports = Single;\n",
    "lib/named.js": """
        function inner() { return 1; }
        exports.inner = inner;
        exports.made = function () { return 2; };
        module.exports.later = () => 3;
    """,
    "use.js": """
        const many = require('./lib/many');
        const { first, other: renamed } = require('./lib/many');
        const Single = require('./lib/single');
        const named = require('./lib/named.js');
        const made = require('./lib/named').made;
        const path = require('path');
        many.first(); many.other(); many.third();
        first(); renamed();
        const one = new Single();
        one.run();
        named.inner(); named.made(); named.later(); made();
        path.join('a');
    """,
    "modern.mjs": "import Single from './lib/single.js';\nnew Single().run();\n",
}


@pytest.mark.parametrize(
    ("marked", "target"),
    [
        ("many.|first();", "lib/many.js:2 first"),
        ("many.|other();", "lib/many.js:3 second"),
        ("many.|third();", "lib/many.js:4 third"),
        ("\n|first(); renamed", "lib/many.js:2 first"),
        ("first(); |renamed();", "lib/many.js:3 second"),
        ("new |Single();", "lib/single.js:1 Single"),
        ("one.|run();", "lib/single.js:1 run"),
        ("named.|inner();", "lib/named.js:2 inner"),
        ("named.|made();", "lib/named.js:4 made"),
        ("named.|later();", "lib/named.js:5 later"),
        ("later(); |made();", "lib/named.js:4 made"),
        ("const { |first, other", "lib/many.js:2 first"),
        ("path.|join", ""),
    ],
)
def test_what_is_required_leads_to_its_definition(marked: str, target: str) -> None:
    assert Project(FILES).leads_to("use.js", marked) == target


def test_a_module_that_is_one_value_is_the_default_of_an_import() -> None:
    assert Project(FILES).leads_to("modern.mjs", "new |Single()") == "lib/single.js:1 Single"
