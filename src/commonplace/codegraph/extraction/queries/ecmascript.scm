; Common to TypeScript and JavaScript. Roles are explained in matches.py.

[(function_declaration) (function_expression) (generator_function)
 (generator_function_declaration) (method_definition)] @scope.function
(arrow_function) @scope.arrow
[(class_declaration) (class)] @scope.class
[(statement_block) (for_statement) (for_in_statement) (catch_clause) (switch_body)] @scope.block
(object) @scope.object

(function_declaration name: (_) @name) @define.function
(generator_function_declaration name: (_) @name) @define.function
(class_declaration name: (_) @name) @define.class
(class_body (method_definition name: (_) @name) @define.method)
(class_body (method_definition "static" name: (_) @name) @static)
[(method_definition "get") (method_definition "set")] @accessor
(object (method_definition name: (_) @name) @define.method)
(object (pair key: (_) @name value: (_) @value) @define.field)
(object (shorthand_property_identifier) @name @value) @define.shorthand
(variable_declarator name: (_) @name value: (_)? @value) @define.variable
(lexical_declaration "const" (variable_declarator) @constant)
(for_in_statement left: (_) @name "of" right: (_) @iterated) @define.variable
(catch_clause parameter: (_) @name) @define.variable

((call_expression function: [(identifier) @runner (member_expression object: (identifier) @runner)]
  arguments: (arguments . (comment)* . (string) @name)) @define.test (#match? @runner "^(test|it|describe)$"))

(import_statement (import_clause (identifier) @name) source: (string) @module) @import.default
(import_statement (import_clause (named_imports (import_specifier name: (_) @imported alias: (_)? @name)))
  source: (string) @module) @import.named
(import_statement (import_clause (namespace_import (identifier) @name)) source: (string) @module) @import.all

(export_statement declaration: (_) @declared) @exported
(export_statement "default" declaration: (_ name: (_) @value)) @export.default
(export_statement "default" value: (_) @value) @export.default
(export_statement "default" value: [(call_expression) (object) (arrow_function) (new_expression)
  (function_expression) (class) (array)] @value) @define.default
(export_statement !source (export_clause (export_specifier name: (_) @value alias: (_)? @name))) @export.local
(export_statement (export_clause (export_specifier name: (_) @imported alias: (_)? @name)) source: (string) @module) @export.from
(export_statement (namespace_export (identifier) @name) source: (string) @module) @export.all
(export_statement "*" . "from" source: (string) @module) @export.star

(return_statement (_) @return)
(arrow_function body: [(identifier) (member_expression) (call_expression) (new_expression) (object)
  (parenthesized_expression) (await_expression) (ternary_expression) (binary_expression) (this)
  (arrow_function) (subscript_expression) (array)] @return)

; Expected types of functions and objects, by their context.
(arguments [(arrow_function) (function_expression) (object)] @expected.argument)
(assignment_expression left: (_) @by right: [(arrow_function) (function_expression) (object)] @expected.by)
(pair key: (_) @name value: [(arrow_function) (function_expression) (object)] @expected.member)
(object (method_definition name: (_) @name) @expected.member)
(return_statement [(arrow_function) (function_expression) (object)] @expected.result)
(arrow_function body: [(arrow_function) (parenthesized_expression (object))] @expected.result)
(arguments (array [(arrow_function) (function_expression) (object)] @expected.argument) @list)
(pair key: (_) @name value: (array [(arrow_function) (function_expression) (object)] @expected.member) @list)
(return_statement (array [(arrow_function) (function_expression) (object)] @expected.result) @list)
(arrow_function body: (array [(arrow_function) (function_expression) (object)] @expected.result) @list)
(assignment_expression left: (_) @by
  right: (array [(arrow_function) (function_expression) (object)] @expected.by) @list)

(object (pair key: (property_identifier) @refer.key))
(object (method_definition name: (property_identifier) @refer.key))
(identifier) @refer.read
(shorthand_property_identifier) @refer.read
(member_expression object: (_) @receiver property: (_) @refer.read)
(call_expression function: (identifier) @refer.call)
(call_expression function: (member_expression object: (_) @receiver property: (_) @refer.call))
(new_expression constructor: (identifier) @refer.call)
(new_expression constructor: (member_expression object: (_) @receiver property: (_) @refer.call))
(assignment_expression left: (identifier) @refer.write)
(assignment_expression left: (member_expression object: (_) @receiver property: (_) @refer.write))
(decorator (identifier) @refer.annotation)
(decorator (call_expression function: (identifier) @refer.annotation))
