; Rust: symbols, and references by name.

[(function_item) (closure_expression)] @scope.function
[(impl_item) (trait_item) (struct_item) (enum_item)] @scope.class
(mod_item) @scope.namespace
(block) @scope.block

(function_item name: (_) @name) @define.function
(function_signature_item name: (_) @name) @define.function
(struct_item name: (_) @name) @define.class
(enum_item name: (_) @name) @define.enum
(enum_variant name: (_) @name) @define.field
(trait_item name: (_) @name) @define.interface
(type_item name: (_) @name) @define.type
(const_item name: (_) @name) @define.constant
(static_item name: (_) @name) @define.variable
(field_declaration name: (_) @name) @define.field
(mod_item name: (_) @name) @define.namespace
(macro_definition name: (_) @name) @define.function
(_ (visibility_modifier)) @declared @exported

(call_expression function: (identifier) @refer.call)
(call_expression function: (field_expression value: (_) @receiver field: (_) @refer.call))
(call_expression function: (scoped_identifier name: (_) @refer.call))
(macro_invocation macro: (identifier) @refer.call)
(type_identifier) @refer.type
(impl_item trait: (type_identifier) @refer.extends)
