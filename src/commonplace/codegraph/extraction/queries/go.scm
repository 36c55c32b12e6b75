; Go: symbols, and references by name.

[(function_declaration) (method_declaration) (func_literal)] @scope.function
(type_spec) @scope.class
(block) @scope.block
(package_clause (_) @package)

(function_declaration name: (_) @name) @define.function
(method_declaration name: (_) @name) @define.method
(type_spec name: (_) @name type: (struct_type)) @define.class
(type_spec name: (_) @name type: (interface_type)) @define.interface
(type_spec name: (_) @name type: [(type_identifier) (map_type) (slice_type) (function_type) (pointer_type) (qualified_type)]) @define.type
(field_declaration name: (_) @name) @define.field
(method_elem name: (_) @name) @define.method
(source_file (const_declaration (const_spec name: (_) @name) @define.constant))
(source_file (var_declaration (var_spec name: (_) @name) @define.variable))

(call_expression function: (identifier) @refer.call)
(call_expression function: (selector_expression operand: (_) @receiver field: (_) @refer.call))
(type_identifier) @refer.type
