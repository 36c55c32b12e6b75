; PHP: symbols, and references by name.

[(function_definition) (method_declaration) (anonymous_function) (arrow_function)] @scope.function
[(class_declaration) (interface_declaration) (trait_declaration) (enum_declaration)] @scope.class

(function_definition name: (_) @name) @define.function
(method_declaration name: (_) @name) @define.method
(class_declaration name: (_) @name) @define.class
(interface_declaration name: (_) @name) @define.interface
(trait_declaration name: (_) @name) @define.class
(enum_declaration name: (_) @name) @define.enum
(enum_case name: (_) @name) @define.field
(const_element . (name) @name) @define.constant
(property_element name: (variable_name (name) @name)) @define.field

(function_call_expression function: (name) @refer.call)
(member_call_expression object: (_) @receiver name: (name) @refer.call)
(scoped_call_expression scope: (_) @receiver name: (name) @refer.call)
(object_creation_expression (name) @refer.call)
(named_type (name) @refer.type)
(base_clause (name) @refer.extends)
(class_interface_clause (name) @refer.extends)
