; Dart: symbols, and references by name.

[(class_definition) (mixin_declaration) (enum_declaration) (extension_declaration)] @scope.class
(function_body) @scope.function

(class_definition name: (_) @name) @define.class
(mixin_declaration (identifier) @name) @define.class
(extension_declaration name: (_) @name) @define.class
(enum_declaration name: (_) @name) @define.enum
(enum_constant name: (_) @name) @define.field
(type_alias . (type_identifier) @name) @define.type
(_ (method_signature (function_signature name: (_) @name)) @define.function . (function_body) @until)
(_ (method_signature (getter_signature name: (_) @name)) @define.function . (function_body) @until)
(_ (method_signature (setter_signature name: (_) @name)) @define.function . (function_body) @until)
(_ (method_signature (constructor_signature name: (_) @name)) @define.constructor . (function_body) @until)
(program (function_signature name: (_) @name) @define.function . (function_body) @until)
(program (getter_signature name: (_) @name) @define.function . (function_body) @until)
(declaration (function_signature name: (_) @name)) @define.function
(declaration (constructor_signature name: (_) @name)) @define.constructor
(class_body (declaration (initialized_identifier_list (initialized_identifier . (identifier) @name) @define.field)))
(class_body (declaration (static_final_declaration_list (static_final_declaration . (identifier) @name) @define.field)))
(program (static_final_declaration_list (static_final_declaration . (identifier) @name) @define.constant))

(expression_statement . (identifier) @refer.call . (selector (argument_part)))
(return_statement . (identifier) @refer.call . (selector (argument_part)))
(type_identifier) @refer.type
(superclass (type_identifier) @refer.extends)
(interfaces (type_identifier) @refer.extends)
