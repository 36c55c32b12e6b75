; C++ in addition to c.scm.

(class_specifier body: (_)) @scope.class
(namespace_definition) @scope.namespace

(class_specifier name: (_) @name body: (_)) @define.class
(namespace_definition name: (_) @name) @define.namespace
(alias_declaration name: (_) @name) @define.type
(function_definition declarator: (function_declarator declarator: (field_identifier) @name)) @define.method
(function_definition declarator: (function_declarator declarator: (qualified_identifier name: (identifier) @name))) @define.method
(field_declaration declarator: (function_declarator declarator: (field_identifier) @name)) @define.method

(call_expression function: (qualified_identifier name: (identifier) @refer.call))
(base_class_clause (type_identifier) @refer.extends)
(new_expression type: (type_identifier) @refer.call)
