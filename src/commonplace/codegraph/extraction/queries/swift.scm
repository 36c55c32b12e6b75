; Swift: symbols, uses inside a type, and references by name.

[(function_declaration) (init_declaration) (protocol_function_declaration)] @scope.function
[(class_declaration) (protocol_declaration)] @scope.class
(lambda_literal) @scope.arrow
[(function_body) (if_statement) (guard_statement) (for_statement)] @scope.block

(class_declaration name: (type_identifier) @name) @define.class
(class_declaration name: (user_type (type_identifier) @name)) @define.extension
(protocol_declaration name: (_) @name) @define.interface
(enum_entry name: (_) @name) @define.field
(function_declaration name: (simple_identifier) @name) @define.function
(protocol_function_declaration name: (simple_identifier) @name) @define.method
(init_declaration "init" @name) @define.constructor
(typealias_declaration name: (type_identifier) @name) @define.type
(property_declaration name: (pattern bound_identifier: (_) @name) value: (_)? @value) @define.variable
(property_declaration (type_annotation (_) @type)) @typed
(protocol_property_declaration name: (pattern bound_identifier: (_) @name)) @define.field
(parameter name: (simple_identifier) @name) @define.parameter

(call_expression . (simple_identifier) @refer.call)
(call_expression . (navigation_expression target: (_) @receiver suffix: (navigation_suffix suffix: (_) @refer.call)))
(navigation_expression target: (_) @receiver suffix: (navigation_suffix suffix: (simple_identifier) @refer.read))
(simple_identifier) @refer.read
(user_type (type_identifier) @refer.type)
(inheritance_specifier inherits_from: (user_type (type_identifier) @refer.extends))
(value_argument_label (simple_identifier) @ignored)
(import_declaration (identifier (simple_identifier) @ignored))
