; TypeScript only: types, interfaces, enums, namespaces, signatures.

[(function_signature) (method_signature) (abstract_method_signature) (call_signature)
 (construct_signature) (function_type) (constructor_type)] @scope.function
[(abstract_class_declaration) (interface_declaration)] @scope.class
(object_type) @scope.object
(enum_declaration) @scope.object
(type_alias_declaration) @scope.block
(internal_module body: (_) @scope.namespace)
(module body: (_) @scope.namespace)
(ambient_declaration "global" (statement_block) @scope.global)

(abstract_class_declaration name: (_) @name) @define.class
(interface_declaration name: (_) @name) @define.interface
(type_alias_declaration name: (_) @name value: (_) @value) @define.type
(enum_declaration name: (_) @name) @define.enum
(enum_body name: (_) @name @define.field)
(enum_body (enum_assignment name: (_) @name) @define.field)
(internal_module name: (_) @name) @define.namespace
(function_signature name: (_) @name) @define.function
[(method_signature name: (_) @name) (abstract_method_signature name: (_) @name)] @define.method
(call_signature) @define.call
(construct_signature) @define.new
(index_signature type: (_) @value) @define.index
(property_signature name: (_) @name type: (_)? @type) @define.field
(public_field_definition name: (_) @name type: (_)? @type value: (_)? @value) @define.field
(public_field_definition "static") @static
(required_parameter pattern: (_) @name type: (_)? @type value: (_)? @value) @define.parameter
(optional_parameter pattern: (_) @name type: (_)? @type) @define.parameter
(required_parameter [(accessibility_modifier) "readonly"] pattern: (_) @name type: (_)? @type value: (_)? @value) @define.property
(optional_parameter [(accessibility_modifier) "readonly"] pattern: (_) @name type: (_)? @type) @define.property
(arrow_function parameter: (_) @name @define.parameter)
[(optional_parameter) (required_parameter value: (_))] @static
(type_parameter name: (_) @name constraint: (_) @type) @define.type_parameter
(type_parameter name: (_) @name !constraint value: (_)? @type) @define.type_parameter
(export_statement "default" value: [(as_expression) (satisfies_expression)] @value) @define.default
(variable_declarator type: (_) @type) @typed
(_ return_type: (_) @type) @result
(construct_signature type: (_) @type) @result

(variable_declarator type: (_) @by value: [(arrow_function) (function_expression) (object)] @expected.by)
(public_field_definition type: (_) @by value: [(arrow_function) (function_expression) (object)] @expected.by)
(required_parameter type: (_) @by value: (object) @expected.by)
(variable_declarator type: (_) @by
  value: (call_expression arguments: (arguments [(arrow_function) (function_expression)] @expected.argument)))
(variable_declarator type: (_) @by
  value: (array [(arrow_function) (function_expression) (object)] @expected.by) @list)

(extends_clause value: (_) @base type_arguments: (_)? @arguments) @extends
(extends_type_clause type: (_) @base) @extends
(mapped_type_clause type: (index_type_query (_) @mapped)) @extends

(type_identifier) @refer.type
(nested_type_identifier module: (_) @receiver name: (_) @refer.type)
(nested_identifier object: (_) @receiver property: (_) @refer.read)
(type_query (member_expression object: (_) @receiver property: (_) @refer.type))
(extends_clause value: (identifier) @refer.extends)
(extends_clause value: (member_expression object: (_) @receiver property: (_) @refer.extends))
(implements_clause (type_identifier) @refer.extends)
(implements_clause (generic_type name: (type_identifier) @refer.extends))
(implements_clause (nested_type_identifier module: (_) @receiver name: (_) @refer.extends))
(implements_clause
  (generic_type name: (nested_type_identifier module: (_) @receiver name: (_) @refer.extends)))
(extends_type_clause type: (type_identifier) @refer.extends)
(extends_type_clause type: (generic_type name: (type_identifier) @refer.extends))
(extends_type_clause type: (nested_type_identifier module: (_) @receiver name: (_) @refer.extends))
(extends_type_clause type: (generic_type name: (nested_type_identifier module: (_) @receiver name: (_) @refer.extends)))

; The grammar reads `await f<T>()` as a call of `await f`.
(call_expression function: (await_expression (identifier) @refer.call) type_arguments: (_))
(call_expression
  function: (await_expression (member_expression object: (_) @receiver property: (_) @refer.call))
  type_arguments: (_))
(public_field_definition type: (_) @by
  value: (array [(arrow_function) (function_expression) (object)] @expected.by) @list)
(as_expression . [(arrow_function) (object)] @expected.by (_) @by .)
(satisfies_expression . [(arrow_function) (object)] @expected.by (_) @by .)
(as_expression . (array [(arrow_function) (object)] @expected.by) @list (_) @by .)
(satisfies_expression . (array [(arrow_function) (object)] @expected.by) @list (_) @by .)
