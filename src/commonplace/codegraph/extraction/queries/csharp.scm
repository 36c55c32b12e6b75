; C#: symbols, and references by name.

[(method_declaration) (constructor_declaration) (local_function_statement)] @scope.function
[(class_declaration) (interface_declaration) (struct_declaration) (record_declaration)
 (enum_declaration)] @scope.class
(namespace_declaration) @scope.namespace
(block) @scope.block

(class_declaration name: (_) @name) @define.class
(struct_declaration name: (_) @name) @define.class
(record_declaration name: (_) @name) @define.class
(interface_declaration name: (_) @name) @define.interface
(enum_declaration name: (_) @name) @define.enum
(enum_member_declaration name: (_) @name) @define.field
(method_declaration name: (_) @name) @define.method
(constructor_declaration name: (_) @name) @define.constructor
(property_declaration name: (_) @name) @define.field
(field_declaration (variable_declaration (variable_declarator name: (_) @name) @define.field))
(namespace_declaration name: (_) @name) @define.namespace
(_ (modifier "public")) @declared @exported

(invocation_expression function: (identifier) @refer.call)
(invocation_expression function: (member_access_expression expression: (_) @receiver name: (identifier) @refer.call))
(object_creation_expression type: (identifier) @refer.call)
(base_list (identifier) @refer.extends)
(parameter type: (identifier) @refer.type)
(variable_declaration type: (identifier) @refer.type)
(attribute name: (identifier) @refer.annotation)
