"""The shape rules of each language: data for `shapes.py`."""

from __future__ import annotations

from commonplace.codegraph.extraction.facts import (
    FUNCTION,
    MAPPING,
    NULL,
    NULLABLE,
    TUPLE,
    Shape,
    ShapeOp,
)
from commonplace.codegraph.extraction.shapes import (
    FIRST,
    ITSELF,
    LAST,
    TRUTH,
    ShapeRule,
    ShapeRules,
)

_ARRAY, _TUPLE = Shape(ShapeOp.TYPE, "Array"), Shape(ShapeOp.TYPE, TUPLE)
_MAPPING = Shape(ShapeOp.TYPE, MAPPING)

ECMASCRIPT = ShapeRules(
    shapes={
        "identifier": ShapeRule(ShapeOp.NAME),
        "shorthand_property_identifier": ShapeRule(ShapeOp.NAME),
        "member_expression": ShapeRule(ShapeOp.MEMBER, ("object",), "property"),
        "nested_identifier": ShapeRule(ShapeOp.MEMBER, ("object",), "property"),
        "call_expression": ShapeRule(
            ShapeOp.CALL, ("function",), every="arguments", stated="type_arguments"
        ),
        "new_expression": ShapeRule(ShapeOp.NEW, ("constructor",), every="type_arguments"),
        "await_expression": ShapeRule(ShapeOp.AWAIT, every=ITSELF),
        "subscript_expression": ShapeRule(ShapeOp.ELEMENT, ("object",), index="index"),
        "array": ShapeRule(ShapeOp.GENERIC, every=ITSELF, lead=(_TUPLE,)),
        "ternary_expression": ShapeRule(ShapeOp.EITHER, ("consequence", "alternative")),
        "binary_expression": ShapeRule(ShapeOp.EITHER, ("left", "right")),
        "type_identifier": ShapeRule(ShapeOp.TYPE),
        "nested_type_identifier": ShapeRule(
            ShapeOp.MEMBER, ("module",), "name", wrap=ShapeOp.INSTANCE
        ),
        "generic_type": ShapeRule(ShapeOp.GENERIC, ("name",), every="type_arguments"),
        "conditional_type": ShapeRule(ShapeOp.EITHER, ("consequence", "alternative")),
        "union_type": ShapeRule(ShapeOp.EITHER, every=ITSELF),
        "intersection_type": ShapeRule(ShapeOp.EITHER, every=ITSELF),
        "array_type": ShapeRule(ShapeOp.GENERIC, every=ITSELF, lead=(_ARRAY,)),
        "tuple_type": ShapeRule(ShapeOp.GENERIC, every=ITSELF, lead=(_TUPLE,)),
        "lookup_type": ShapeRule(ShapeOp.MEMBER, (FIRST,), LAST),
    },
    through={
        "parenthesized_expression": FIRST,
        "non_null_expression": FIRST,
        "satisfies_expression": FIRST,
        "type_annotation": FIRST,
        "parenthesized_type": FIRST,
        "readonly_type": FIRST,
        "optional_type": FIRST,
        "type_query": FIRST,
        "constraint": FIRST,
        "default_type": FIRST,
        "assignment_expression": "right",
        "as_expression": LAST,
        "literal_type": FIRST,
    },
    scopes=frozenset(
        {
            "function_expression", "arrow_function", "generator_function", "method_definition",
            "class", "object", "object_type", "function_type", "constructor_type",
        }
    ),
    fixed={
        "this": Shape(ShapeOp.THIS),
        "this_type": Shape(ShapeOp.THIS),
        "super": Shape(ShapeOp.SUPER),
        "meta_property": Shape(ShapeOp.TYPE, "ImportMeta"),
    },
    modules=frozenset({"import"}),
)  # fmt: skip

PYTHON = ShapeRules(
    shapes={
        "identifier": ShapeRule(ShapeOp.NAME),
        "attribute": ShapeRule(ShapeOp.MEMBER, ("object",), "attribute"),
        "call": ShapeRule(ShapeOp.CALL, ("function",), every="arguments"),
        "await": ShapeRule(ShapeOp.AWAIT, every=ITSELF),
        "subscript": ShapeRule(ShapeOp.ELEMENT, ("value",)),
        "conditional_expression": ShapeRule(ShapeOp.EITHER, (FIRST, LAST)),
        "boolean_operator": ShapeRule(ShapeOp.EITHER, ("left", "right")),
        "binary_operator": ShapeRule(ShapeOp.EITHER, ("left", "right")),
        "type": ShapeRule(ShapeOp.INSTANCE, (FIRST,), annotation=True),
        "generic_type": ShapeRule(ShapeOp.GENERIC, (FIRST,), every=LAST),
        "union_type": ShapeRule(ShapeOp.EITHER, every=ITSELF),
        "list": ShapeRule(ShapeOp.GENERIC, every=ITSELF, lead=(_TUPLE,)),
        "tuple": ShapeRule(ShapeOp.GENERIC, every=ITSELF, lead=(_TUPLE,)),
        "set": ShapeRule(ShapeOp.GENERIC, every=ITSELF, lead=(_TUPLE,)),
        "dictionary": ShapeRule(ShapeOp.GENERIC, every=ITSELF, lead=(_MAPPING,)),
        "list_comprehension": ShapeRule(ShapeOp.GENERIC, lead=(_ARRAY,), inner=True),
        "set_comprehension": ShapeRule(ShapeOp.GENERIC, lead=(_ARRAY,), inner=True),
        "generator_expression": ShapeRule(ShapeOp.GENERIC, lead=(_ARRAY,), inner=True),
        "dictionary_comprehension": ShapeRule(ShapeOp.GENERIC, lead=(_MAPPING,), inner=True),
    },
    through={"parenthesized_expression": FIRST, "pair": "value"},
    scopes=frozenset({"lambda"}),
    fixed={},
)

JAVA = ShapeRules(
    shapes={
        "identifier": ShapeRule(ShapeOp.NAME),
        "field_access": ShapeRule(ShapeOp.MEMBER, ("object",), "field"),
        "method_invocation": ShapeRule(ShapeOp.CALL, every="arguments", callee=("object", "name")),
        "array_access": ShapeRule(ShapeOp.ELEMENT, ("array",)),
        "array_creation_expression": ShapeRule(ShapeOp.GENERIC, ("type",), nested=_ARRAY),
        "ternary_expression": ShapeRule(ShapeOp.EITHER, ("consequence", "alternative")),
        "type_identifier": ShapeRule(ShapeOp.TYPE),
        "scoped_identifier": ShapeRule(ShapeOp.MEMBER, ("scope",), "name"),
        "integral_type": ShapeRule(ShapeOp.TYPE),
        "floating_point_type": ShapeRule(ShapeOp.TYPE),
        "boolean_type": ShapeRule(ShapeOp.TYPE),
        "scoped_type_identifier": ShapeRule(ShapeOp.MEMBER, (FIRST,), LAST, wrap=ShapeOp.INSTANCE),
        "generic_type": ShapeRule(ShapeOp.GENERIC, (FIRST,), every=LAST),
        "array_type": ShapeRule(ShapeOp.GENERIC, ("element",), nested=_ARRAY),
        "wildcard": ShapeRule(ShapeOp.EITHER, every=ITSELF),
        "binary_expression": ShapeRule(ShapeOp.EITHER, ("left", "right"), comparing=True),
        "class_literal": ShapeRule(ShapeOp.GENERIC, (FIRST,), lead=(Shape(ShapeOp.TYPE, "Class"),)),
        "decimal_integer_literal": ShapeRule(ShapeOp.TYPE, suffixes={"": "int", "l": "long"}),
        "hex_integer_literal": ShapeRule(ShapeOp.TYPE, suffixes={"": "int", "l": "long"}),
        "octal_integer_literal": ShapeRule(ShapeOp.TYPE, suffixes={"": "int", "l": "long"}),
        "binary_integer_literal": ShapeRule(ShapeOp.TYPE, suffixes={"": "int", "l": "long"}),
        "decimal_floating_point_literal": ShapeRule(
            ShapeOp.TYPE, suffixes={"": "double", "f": "float"}
        ),
    },
    through={
        "parenthesized_expression": FIRST,
        "object_creation_expression": "type",
        "cast_expression": "type",
        "assignment_expression": "right",
        "annotated_type": LAST,
        "unary_expression": "operand",
        "update_expression": FIRST,
    },
    scopes=frozenset({"lambda_expression"}),
    fixed={
        "this": Shape(ShapeOp.THIS),
        "super": Shape(ShapeOp.SUPER),
        "string_literal": Shape(ShapeOp.TYPE, "String"),
        "null_literal": Shape(ShapeOp.TYPE, NULL),
        "character_literal": Shape(ShapeOp.TYPE, "char"),
        "method_reference": Shape(ShapeOp.TYPE, FUNCTION),
        "instanceof_expression": TRUTH,
        "true": TRUTH,
        "false": TRUTH,
    },
)

GO = ShapeRules(
    shapes={
        "identifier": ShapeRule(ShapeOp.NAME),
        "package_identifier": ShapeRule(ShapeOp.NAME),
        "selector_expression": ShapeRule(ShapeOp.MEMBER, ("operand",), "field"),
        "call_expression": ShapeRule(ShapeOp.CALL, ("function",), every="arguments"),
        "index_expression": ShapeRule(ShapeOp.ELEMENT, ("operand",)),
        "binary_expression": ShapeRule(ShapeOp.EITHER, ("left", "right"), comparing=True),
        "type_identifier": ShapeRule(ShapeOp.TYPE),
        "qualified_type": ShapeRule(ShapeOp.MEMBER, ("package",), "name", wrap=ShapeOp.INSTANCE),
        "generic_type": ShapeRule(ShapeOp.GENERIC, ("type",), every="type_arguments"),
        "slice_type": ShapeRule(ShapeOp.GENERIC, ("element",), lead=(_ARRAY,)),
        "array_type": ShapeRule(ShapeOp.GENERIC, ("element",), lead=(_ARRAY,)),
        "implicit_length_array_type": ShapeRule(ShapeOp.GENERIC, ("element",), lead=(_ARRAY,)),
        "channel_type": ShapeRule(ShapeOp.GENERIC, ("value",), lead=(_ARRAY,)),
        "map_type": ShapeRule(ShapeOp.GENERIC, ("value",), lead=(_ARRAY,)),
        "parameter_list": ShapeRule(ShapeOp.GENERIC, every=ITSELF, lead=(_TUPLE,), plain=True),
        "type_switch_statement": ShapeRule(ShapeOp.EITHER, every=ITSELF),
    },
    through={
        "parenthesized_expression": FIRST,
        "parenthesized_type": FIRST,
        "pointer_type": FIRST,
        "type_elem": FIRST,
        "type_constraint": FIRST,
        "type_case": "type",
        "literal_element": FIRST,
        "composite_literal": "type",
        "unary_expression": "operand",
        "slice_expression": "operand",
        "type_assertion_expression": "type",
        "type_conversion_expression": "type",
        "parameter_declaration": "type",
    },
    scopes=frozenset({"func_literal", "function_type", "struct_type"}),
    fixed={},
    inner_literals=frozenset({"literal_value"}),
)

_THIS = Shape(ShapeOp.THIS)

RUST = ShapeRules(
    shapes={
        "identifier": ShapeRule(ShapeOp.NAME),
        "field_expression": ShapeRule(ShapeOp.MEMBER, ("value",), "field"),
        "scoped_identifier": ShapeRule(ShapeOp.MEMBER, ("path",), "name"),
        "call_expression": ShapeRule(ShapeOp.CALL, ("function",), every="arguments"),
        "index_expression": ShapeRule(ShapeOp.ELEMENT, (FIRST,)),
        "type_identifier": ShapeRule(ShapeOp.TYPE),
        "scoped_type_identifier": ShapeRule(
            ShapeOp.MEMBER, ("path",), "name", wrap=ShapeOp.INSTANCE
        ),
        "generic_type": ShapeRule(ShapeOp.GENERIC, ("type",), every="type_arguments"),
        "array_type": ShapeRule(ShapeOp.GENERIC, ("element",), lead=(_ARRAY,)),
        "tuple_type": ShapeRule(ShapeOp.GENERIC, every=ITSELF, lead=(_TUPLE,)),
        "tuple_expression": ShapeRule(ShapeOp.GENERIC, every=ITSELF, lead=(_TUPLE,)),
        "array_expression": ShapeRule(ShapeOp.GENERIC, (FIRST,), lead=(_ARRAY,)),
        "if_expression": ShapeRule(ShapeOp.EITHER, ("consequence",)),
    },
    through={
        "parenthesized_expression": FIRST,
        "reference_type": "type",
        "pointer_type": "type",
        "abstract_type": "trait",
        "dynamic_type": "trait",
        "bounded_type": FIRST,
        "removed_trait_bound": FIRST,
        "bracketed_type": FIRST,
        "qualified_type": "alias",
        "generic_function": "function",
        "generic_type_with_turbofish": "type",
        "try_expression": FIRST,
        "await_expression": FIRST,
        "reference_expression": "value",
        "unary_expression": FIRST,
        "type_cast_expression": "type",
        "struct_expression": "name",
        "block": LAST,
        "unsafe_block": LAST,
    },
    scopes=frozenset({"closure_expression"}),
    fixed={"self": _THIS},
    words={"Self": _THIS},
    paths=frozenset({"crate", "super"}),
)

KOTLIN = ShapeRules(
    shapes={
        "identifier": ShapeRule(ShapeOp.NAME),
        "navigation_expression": ShapeRule(ShapeOp.MEMBER, (FIRST,), LAST),
        "call_expression": ShapeRule(ShapeOp.CALL, (FIRST,), trailing=True),
        "index_expression": ShapeRule(ShapeOp.ELEMENT, (FIRST,)),
        "user_type": ShapeRule(ShapeOp.TYPE, (FIRST,), dotted=True),
        "function_type": ShapeRule(ShapeOp.GENERIC, function=True),
        "binary_expression": ShapeRule(ShapeOp.EITHER, ("left", "right"), comparing=True),
    },
    through={
        "parenthesized_expression": FIRST,
        "nullable_type": FIRST,
        "parenthesized_type": FIRST,
        "type_projection": LAST,
        "annotated_lambda": LAST,
        "spread_expression": FIRST,
        "parameter": LAST,
        "value_argument": LAST,
        "as_expression": "right",
        "unary_expression": "argument",
    },
    scopes=frozenset({"lambda_literal"}),
    fixed={
        "this_expression": _THIS,
        "callable_reference": Shape(ShapeOp.TYPE, FUNCTION),
        "super_expression": Shape(ShapeOp.SUPER),
        "string_literal": Shape(ShapeOp.TYPE, "String"),
        "multiline_string_literal": Shape(ShapeOp.TYPE, "String"),
        "number_literal": Shape(ShapeOp.TYPE, "Int"),
        "character_literal": Shape(ShapeOp.TYPE, "Char"),
    },
    members={
        "class": Shape(ShapeOp.TYPE, "KClass"),
        "java": Shape(ShapeOp.TYPE, "Class"),
    },
    words={"true": TRUTH, "false": TRUTH, "Boolean": TRUTH, "null": Shape(ShapeOp.TYPE, NULL)},
)

_STRING = Shape(ShapeOp.TYPE, "string")

CSHARP = ShapeRules(
    shapes={
        "identifier": ShapeRule(ShapeOp.NAME),
        "member_access_expression": ShapeRule(ShapeOp.MEMBER, ("expression",), "name"),
        "conditional_access_expression": ShapeRule(ShapeOp.MEMBER, ("condition",), LAST),
        "invocation_expression": ShapeRule(ShapeOp.CALL, ("function",), every="arguments"),
        "object_creation_expression": ShapeRule(ShapeOp.INSTANCE, ("type",)),
        "element_access_expression": ShapeRule(ShapeOp.ELEMENT, ("expression",)),
        "await_expression": ShapeRule(ShapeOp.AWAIT, every=ITSELF),
        "qualified_name": ShapeRule(ShapeOp.MEMBER, ("qualifier",), "name", wrap=ShapeOp.INSTANCE),
        "generic_name": ShapeRule(ShapeOp.GENERIC, (FIRST,), every=LAST, typed=True),
        "array_type": ShapeRule(ShapeOp.GENERIC, ("type",), lead=(_ARRAY,), typed=True),
        "tuple_type": ShapeRule(ShapeOp.GENERIC, every=ITSELF, lead=(_TUPLE,), typed=True),
        "tuple_expression": ShapeRule(ShapeOp.GENERIC, every=ITSELF, lead=(_TUPLE,)),
        "predefined_type": ShapeRule(ShapeOp.TYPE),
        "nullable_type": ShapeRule(
            ShapeOp.GENERIC, ("type",), lead=(Shape(ShapeOp.TYPE, NULLABLE),), typed=True
        ),
        "cast_expression": ShapeRule(ShapeOp.INSTANCE, ("type",)),
        "as_expression": ShapeRule(ShapeOp.INSTANCE, ("right",)),
        "default_expression": ShapeRule(ShapeOp.INSTANCE, ("type",)),
        "conditional_expression": ShapeRule(ShapeOp.EITHER, ("consequence", "alternative")),
        "binary_expression": ShapeRule(ShapeOp.EITHER, ("left", "right"), comparing=True),
        "integer_literal": ShapeRule(ShapeOp.TYPE, suffixes={"": "int", "l": "long"}),
        "real_literal": ShapeRule(
            ShapeOp.TYPE, suffixes={"": "double", "f": "float", "m": "decimal"}
        ),
    },
    through={
        "parenthesized_expression": FIRST,
        "postfix_unary_expression": FIRST,
        "prefix_unary_expression": FIRST,
        "alias_qualified_name": "name",
        "argument": LAST,
        "tuple_element": "type",
        "assignment_expression": "right",
        "array_creation_expression": "type",
        "ref_type": "type",
        "ref_expression": FIRST,
    },
    scopes=frozenset({"lambda_expression", "anonymous_method_expression"}),
    fixed={
        "this": _THIS,
        "base": Shape(ShapeOp.SUPER),
        "string_literal": _STRING,
        "verbatim_string_literal": _STRING,
        "raw_string_literal": _STRING,
        "interpolated_string_expression": _STRING,
        "character_literal": Shape(ShapeOp.TYPE, "char"),
        "null_literal": Shape(ShapeOp.TYPE, NULL),
        "typeof_expression": Shape(ShapeOp.TYPE, "Type"),
        "boolean_literal": TRUTH,
        "is_pattern_expression": TRUTH,
    },
    words={
        "bool": TRUTH,
        "object": Shape(ShapeOp.TYPE, "Object"),
    },
)

SWIFT = ShapeRules(
    shapes={
        "simple_identifier": ShapeRule(ShapeOp.NAME),
        "navigation_expression": ShapeRule(ShapeOp.MEMBER, ("target",), "suffix"),
        "call_expression": ShapeRule(ShapeOp.CALL, (FIRST,)),
        "type_identifier": ShapeRule(ShapeOp.TYPE),
    },
    through={"user_type": FIRST, "optional_type": FIRST, "tuple_expression": FIRST},
    scopes=frozenset({"lambda_literal"}),
    fixed={"self_expression": _THIS, "super_expression": Shape(ShapeOp.SUPER)},
)

SCALA = ShapeRules(
    shapes={
        "identifier": ShapeRule(ShapeOp.NAME),
        "field_expression": ShapeRule(ShapeOp.MEMBER, ("value",), "field"),
        "call_expression": ShapeRule(ShapeOp.CALL, ("function",), every="arguments"),
        "type_identifier": ShapeRule(ShapeOp.TYPE),
        "generic_type": ShapeRule(ShapeOp.GENERIC, ("type",), every="type_arguments"),
    },
    through={"parenthesized_expression": FIRST, "instance_expression": FIRST},
    scopes=frozenset({"lambda_expression"}),
    fixed={},
    words={"this": _THIS, "super": Shape(ShapeOp.SUPER)},
)

# For languages of which only symbols and names are read.
NONE = ShapeRules(shapes={}, through={}, scopes=frozenset(), fixed={})
