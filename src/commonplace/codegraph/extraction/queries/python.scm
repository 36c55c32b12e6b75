; Python. Roles are explained in matches.py.

[(function_definition) (lambda)] @scope.function
[(list_comprehension) (set_comprehension) (dictionary_comprehension) (generator_expression)] @scope.arrow
(class_definition) @scope.class

(function_definition name: (_) @name) @define.function
(class_definition name: (_) @name) @define.class
(decorated_definition (decorator (identifier) @how) definition: (function_definition) @accessor
  (#match? @how "^(cached_)?property$"))
(decorated_definition (decorator (attribute attribute: (identifier) @how))
  definition: (function_definition) @accessor (#match? @how "^(setter|cached_property)$"))
(assignment left: (identifier) @name type: (_)? @type right: (_)? @value) @define.variable
(assignment left: [(pattern_list) (tuple_pattern) (list_pattern)] @name right: (_) @value) @define.variable
(assignment left: (attribute object: (identifier) @owner attribute: (_) @name)
  type: (_)? @type right: (_)? @value (#eq? @owner "self")) @define.property
(named_expression name: (_) @name value: (_) @value) @define.variable
(for_statement left: (_) @name right: (_) @iterated) @define.variable
(for_in_clause left: (_) @name right: (_) @iterated) @define.variable
(with_item value: (as_pattern (_) @entered alias: (as_pattern_target (_) @name))) @define.variable
(except_clause value: (as_pattern (_) alias: (as_pattern_target (_) @name))) @define.variable

(parameters (identifier) @name @define.parameter)
(lambda_parameters (identifier) @name @define.parameter)
(typed_parameter . (identifier) @name type: (_) @type) @define.parameter
(typed_parameter . [(list_splat_pattern) (dictionary_splat_pattern)] @name) @define.parameter
(default_parameter name: (_) @name value: (_) @value) @define.parameter
(typed_default_parameter name: (_) @name type: (_) @type) @define.parameter
[(default_parameter) (typed_default_parameter)] @static
(parameters [(list_splat_pattern) (dictionary_splat_pattern)] @name @define.parameter)
(class_definition body: (block [
  (function_definition parameters: (parameters . (comment)* . (identifier) @self))
  (decorated_definition definition: (function_definition
    parameters: (parameters . (comment)* . (identifier) @self)))]))

(import_statement name: (dotted_name . (identifier) @name)) @import.package
(import_statement name: (aliased_import name: (_) @module alias: (_) @name)) @import.all
(import_from_statement module_name: (_) @module name: (dotted_name) @imported) @import.named
(import_from_statement module_name: (_) @module
  name: (aliased_import name: (_) @imported alias: (_) @name)) @import.named
(import_from_statement module_name: (_) @module (wildcard_import)) @export.star
(import_from_statement module_name: (dotted_name (identifier) @refer.import))
(relative_import (dotted_name (identifier) @refer.import))
(import_statement name: (dotted_name (identifier) @refer.import))

(_ return_type: (_) @type) @result
(return_statement (_) @return)
(lambda body: (_) @return)
(yield (_) @return.yielded)
[(list_comprehension body: (_) @return) (set_comprehension body: (_) @return)
 (dictionary_comprehension body: (_) @return) (generator_expression body: (_) @return)]

(class_definition superclasses: (argument_list [(identifier) (attribute)] @base)) @extends
(class_definition superclasses: (argument_list (subscript value: (_) @base))) @extends

(identifier) @refer.read
(keyword_argument name: (_) @ignored)
(attribute object: (_) @receiver attribute: (_) @refer.read)
(call function: (identifier) @refer.call)
(call function: (attribute object: (_) @receiver attribute: (_) @refer.call))
(augmented_assignment left: (identifier) @refer.write)
(assignment left: (attribute object: (_) @receiver attribute: (_) @refer.write))
(augmented_assignment left: (attribute object: (_) @receiver attribute: (_) @refer.write))
(type (identifier) @refer.type)
(type (generic_type (identifier) @refer.type))
(type (subscript subscript: (identifier) @refer.type))
(type (binary_operator (identifier) @refer.type))
(type (attribute object: (_) @receiver attribute: (_) @refer.type))
(class_definition superclasses: (argument_list (identifier) @refer.extends))
(class_definition superclasses: (argument_list (subscript value: (identifier) @refer.extends)))
(class_definition superclasses: (argument_list (subscript value:
  (attribute object: (_) @receiver attribute: (_) @refer.extends))))
(class_definition superclasses: (argument_list (attribute object: (_) @receiver attribute: (_) @refer.extends)))
(decorator (identifier) @refer.annotation)
(decorator (attribute object: (_) @receiver attribute: (_) @refer.annotation))
(decorator (call function: (identifier) @refer.annotation))
(decorator (call function: (attribute object: (_) @receiver attribute: (_) @refer.annotation)))
