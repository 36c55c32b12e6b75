; Common to C and C++: symbols, and references by name.

(function_definition) @scope.function
[(struct_specifier body: (_)) (union_specifier body: (_))] @scope.class
(compound_statement) @scope.block

(function_definition declarator: (function_declarator declarator: (identifier) @name)) @define.function
(function_definition declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))) @define.function
(struct_specifier name: (type_identifier) @name body: (_)) @define.class
(union_specifier name: (type_identifier) @name body: (_)) @define.class
(enum_specifier name: (type_identifier) @name body: (_)) @define.enum
(enumerator name: (_) @name) @define.field
(type_definition declarator: (type_identifier) @name) @define.type
(field_declaration declarator: (field_identifier) @name) @define.field
(translation_unit (declaration declarator: (init_declarator declarator: (identifier) @name)) @define.variable)
(preproc_def name: (_) @name) @define.constant
(preproc_function_def name: (_) @name) @define.function

(call_expression function: (identifier) @refer.call)
(call_expression function: (field_expression argument: (_) @receiver field: (_) @refer.call))
(type_identifier) @refer.type
