; Go. Roles are explained in matches.py.

[(function_declaration) (method_declaration) (func_literal) (function_type) (method_elem)] @scope.function
(method_declaration) @scope.extension
[(type_spec) (type_alias)] @scope.class
[(field_declaration type: (struct_type) @scope.class) (slice_type (struct_type) @scope.class)
 (array_type (struct_type) @scope.class) (map_type value: (struct_type) @scope.class)
 (pointer_type (struct_type) @scope.class) (channel_type (struct_type) @scope.class)
 (composite_literal type: (struct_type) @scope.class) (var_spec type: (struct_type) @scope.class)
 (parameter_declaration type: (struct_type) @scope.class)
 (implicit_length_array_type (struct_type) @scope.class)]
[(block) (if_statement) (for_statement) (expression_switch_statement) (type_switch_statement)
 (expression_case) (default_case) (type_case) (communication_case)] @scope.block
(package_clause (_) @package)

(function_declaration name: (_) @name) @define.function
(method_declaration name: (_) @name) @define.method
(method_declaration receiver: (parameter_list (parameter_declaration
  type: [(type_identifier) @name (pointer_type (type_identifier) @name)
    (generic_type type: (type_identifier) @name)
    (pointer_type (generic_type type: (type_identifier) @name))]))) @define.extension
(type_spec name: (_) @name type: (struct_type)) @define.class
(type_spec name: (_) @name type: (interface_type)) @define.interface
(type_spec name: (_) @name type: [(type_identifier) (generic_type) (map_type) (slice_type) (array_type)
  (function_type) (pointer_type) (qualified_type) (channel_type) (parenthesized_type)]) @define.type
(type_alias name: (_) @name type: (_) @value) @define.type
(field_declaration name: (_) @name type: (_) @type) @define.field
(field_declaration !name type: [(type_identifier) @name (qualified_type name: (_) @name)
  (generic_type type: (type_identifier) @name)] @type) @define.embedded
(method_elem name: (_) @name) @define.method
(source_file (const_declaration (const_spec name: (_) @name type: (_)? @type value: (expression_list . (_) @value)?) @define.constant))
(source_file (var_declaration (var_spec name: (_) @name type: (_) @type) @define.variable))
(source_file (var_declaration (var_spec name: (_) @name !type value: (expression_list . (_) @value .)) @define.variable))
(source_file (var_declaration (var_spec_list (var_spec name: (_) @name type: (_) @type) @define.variable)))
(source_file (var_declaration (var_spec_list (var_spec name: (_) @name !type value: (expression_list . (_) @value .)) @define.variable)))
(block (statement_list (var_declaration (var_spec name: (_) @name type: (_)? @type value: (expression_list . (_) @value)?) @define.variable)))
(block (statement_list (const_declaration (const_spec name: (_) @name) @define.variable)))
(short_var_declaration left: (expression_list . (identifier) @name .)
  right: (expression_list . (_) @value .)) @define.variable
(short_var_declaration left: (expression_list (_) "," (_)) @name
  right: (expression_list . (_) @value .)) @define.variable
(short_var_declaration left: (expression_list . (identifier) @name . "," . (_))
  right: (expression_list . (_) @value . "," . (_))) @define.variable
(short_var_declaration left: (expression_list . (_) . "," . (identifier) @name)
  right: (expression_list . (_) . "," . (_) @value)) @define.variable
(receive_statement left: (expression_list . (identifier) @name) right: (_) @value) @define.variable
(range_clause left: (expression_list . (_) . "," . (identifier) @name) right: (_) @iterated) @define.variable
(range_clause left: (expression_list . (identifier) @name . ",")) @define.variable
(range_clause left: (expression_list . (identifier) @name .) right: (_) @iterated) @define.variable
(type_switch_statement alias: (expression_list (identifier) @name)) @value @define.variable
(parameter_declaration name: (_) @name type: (_) @type) @define.parameter
(variadic_parameter_declaration name: (_) @name type: (_) @type) @define.parameter
(type_parameter_declaration name: (_) @name type: (_) @type) @define.type_parameter

(import_spec !name path: (_) @imported) @import.location
(import_spec name: (package_identifier) @name path: (_) @imported) @import.location
(import_spec name: (dot) path: (_) @module) @export.star

(function_declaration result: (_) @type) @result
(method_declaration result: (_) @type) @result
(func_literal result: (_) @type) @result
(function_type result: (_) @type) @result
(method_elem result: (_) @type) @result

(type_spec type: [(type_identifier) (generic_type) (qualified_type) (map_type) (slice_type) (array_type)
  (channel_type)] @base) @extends
(field_declaration !name type: (_) @base) @extends
(interface_type (type_elem . [(type_identifier) (qualified_type) (generic_type)] @base .)) @extends

(identifier) @refer.read
(type_identifier) @refer.type
(qualified_type package: (_) @receiver name: (_) @refer.type)
(selector_expression operand: (_) @receiver field: (_) @refer.read)
(call_expression function: (identifier) @refer.call)
(call_expression function: (selector_expression operand: (_) @receiver field: (_) @refer.call))
(literal_value (keyed_element key: (literal_element (identifier) @refer.case))) @receiver
(assignment_statement left: (expression_list (identifier) @refer.write))
(assignment_statement left: (expression_list (selector_expression operand: (_) @receiver field: (_) @refer.write)))
(field_declaration !name type: (type_identifier) @refer.extends)
(field_declaration !name type: (qualified_type package: (_) @receiver name: (_) @refer.extends))
(interface_type (type_elem . (type_identifier) @refer.extends .))
