; C#. Roles are explained in matches.py.

[(method_declaration) (constructor_declaration) (local_function_statement) (property_declaration)
 (indexer_declaration) (operator_declaration)] @scope.function
[(lambda_expression) (anonymous_method_expression)] @scope.arrow
[(class_declaration) (interface_declaration) (struct_declaration) (record_declaration)
 (enum_declaration)] @scope.class
[(block) (for_statement) (foreach_statement) (using_statement) (catch_clause) (switch_section)] @scope.block
(namespace_declaration name: (_) @package)
(file_scoped_namespace_declaration name: (_) @package)

(class_declaration name: (_) @name) @define.class
(struct_declaration name: (_) @name) @define.class
(record_declaration name: (_) @name) @define.class
(interface_declaration name: (_) @name) @define.interface
(enum_declaration name: (_) @name) @define.enum
(delegate_declaration name: (_) @name) @define.type
(enum_member_declaration name: (_) @name) @define.enumerated
(method_declaration name: (_) @name) @define.method
(local_function_statement name: (_) @name) @define.function
(constructor_declaration name: (_) @name) @define.constructor
(property_declaration type: (_) @type name: (_) @name) @define.field
(field_declaration (variable_declaration type: (_) @type (variable_declarator name: (_) @name) @define.field))
(event_field_declaration (variable_declaration type: (_) @type (variable_declarator name: (_) @name) @define.field))
(local_declaration_statement (variable_declaration type: (_) @type
  (variable_declarator name: (_) @name (_)? @value) @define.variable))
(foreach_statement type: (_) @type left: (identifier) @name right: (_) @iterated) @define.variable
(using_statement (variable_declaration type: (_) @type (variable_declarator name: (_) @name (_)? @value) @define.variable))
(catch_declaration type: (_) @type name: (_) @name) @define.variable
(declaration_pattern type: (_) @type name: (_) @name) @define.variable
(declaration_expression type: (_) @type name: (_) @name) @define.variable
(parameter type: (_) @type name: (_) @name) @define.parameter
(record_declaration (parameter_list (parameter type: (_) @type name: (_) @name) @define.property))
(lambda_expression parameters: (implicit_parameter) @name @define.parameter)
(type_parameter name: (_) @name) @define.type_parameter

(using_directive . (_) @imported .) @import.namespace
(_ (modifier "public")) @declared @exported
(method_declaration returns: (_) @type) @result
(local_function_statement type: (_) @type) @result
(return_statement (_) @return)
(base_list (_) @base) @extends

(identifier) @refer.read
(member_access_expression expression: (_) @receiver name: (identifier) @refer.read)
(member_access_expression expression: (_) @receiver name: (generic_name . (identifier) @refer.read))
(member_access_expression "this" @receiver name: (identifier) @refer.read)
(member_access_expression "base" @receiver name: (identifier) @refer.read)
(invocation_expression function: (identifier) @refer.call)
(invocation_expression function: (generic_name . (identifier) @refer.call))
(invocation_expression function: (member_access_expression expression: (_) @receiver name: (identifier) @refer.call))
(invocation_expression function: (member_access_expression expression: (_) @receiver name: (generic_name . (identifier) @refer.call)))
(invocation_expression function: (member_access_expression "this" @receiver name: (identifier) @refer.call))
(invocation_expression function: (member_access_expression "base" @receiver name: (identifier) @refer.call))
(conditional_access_expression condition: (_) @receiver (member_binding_expression name: (identifier) @refer.read))
(object_creation_expression type: (identifier) @refer.call)
(object_creation_expression type: (generic_name . (identifier) @refer.call))
(base_list (identifier) @refer.extends)
(base_list (generic_name . (identifier) @refer.extends))
(parameter type: (identifier) @refer.type)
(variable_declaration type: (identifier) @refer.type)
(property_declaration type: (identifier) @refer.type)
(method_declaration returns: (identifier) @refer.type)
(type_argument_list (identifier) @refer.type)
(generic_name . (identifier) @refer.type)
(cast_expression type: (identifier) @refer.type)
(attribute name: (identifier) @refer.annotation)
(assignment_expression left: (identifier) @refer.write)
(assignment_expression left: (member_access_expression expression: (_) @receiver name: (identifier) @refer.write))
(argument name: (identifier) @ignored)
(using_directive (qualified_name (identifier) @ignored))
(qualified_name (identifier) @ignored)
