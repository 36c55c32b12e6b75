; Rust. Roles are explained in matches.py.

[(function_item) (function_signature_item)] @scope.function
(closure_expression) @scope.arrow
[(impl_item) (trait_item) (struct_item) (enum_item) (union_item) (enum_variant)] @scope.class
(mod_item body: (_)) @scope.namespace
[(block) (match_arm) (for_expression) (if_expression) (while_expression)] @scope.block

(function_item name: (_) @name) @define.function
(function_signature_item name: (_) @name) @define.function
(struct_item name: (_) @name) @define.class
(union_item name: (_) @name) @define.class
(enum_item name: (_) @name) @define.enum
(enum_variant name: (_) @name) @define.enumerated
(trait_item name: (_) @name) @define.interface
(impl_item type: [(type_identifier) @name (generic_type type: (type_identifier) @name)
  (scoped_type_identifier name: (_) @name) (generic_type type: (scoped_type_identifier name: (_) @name))
  (reference_type type: (type_identifier) @name)
  (reference_type type: (generic_type type: (type_identifier) @name))]) @define.extension
(type_item name: (_) @name type: (_) @value) @define.type
(associated_type name: (_) @name) @define.type
(const_item name: (_) @name type: (_) @type) @define.constant
(static_item name: (_) @name type: (_) @type) @define.variable
(field_declaration name: (_) @name type: (_) @type) @define.field
(mod_item name: (_) @name body: (_)) @define.namespace
(mod_item name: (_) @imported !body) @import.submodule
(macro_definition name: (_) @name) @define.function
(parameter pattern: (_) @name type: (_) @type) @define.parameter
(closure_parameters [(identifier) (reference_pattern) (tuple_pattern)] @name @define.parameter)
(type_parameter name: (_) @name bounds: (trait_bounds . (_) @type)?) @define.type_parameter
(let_declaration pattern: (_) @name type: (_)? @type value: (_)? @value) @define.variable
(let_condition pattern: (_) @name value: (_) @value) @define.matched
(match_expression value: (_) @value
  body: (match_block (match_arm pattern: (match_pattern . (_) @name) @define.matched)))
(for_expression pattern: (_) @name value: (_) @iterated) @define.variable
(_ (visibility_modifier)) @declared @exported

(use_declaration argument: [(identifier) (scoped_identifier)] @imported) @import.use
(use_list [(identifier) (scoped_identifier) (self)] @imported @import.use)
(use_as_clause path: (_) @imported alias: (identifier) @name) @import.use
(use_wildcard . (_) @module) @export.glob
(extern_crate_declaration name: (_) @imported) @import.use

(function_item return_type: (_) @type) @result
(function_signature_item return_type: (_) @type) @result
(closure_expression return_type: (_) @type) @result
(closure_expression body: (_) @return)
(impl_item trait: (_) @base) @extends
(trait_item bounds: (trait_bounds (_) @base)) @extends
(arguments (closure_expression) @expected.argument)

(identifier) @refer.read
(type_identifier) @refer.type
(shorthand_field_identifier) @ignored
(scoped_identifier path: (_) @receiver name: (_) @refer.read)
(scoped_type_identifier path: (_) @receiver name: (_) @refer.type)
(field_expression value: (_) @receiver field: (field_identifier) @refer.read)
(call_expression function: (identifier) @refer.call)
(call_expression function: (field_expression value: (_) @receiver field: (field_identifier) @refer.call))
(call_expression function: (scoped_identifier path: (_) @receiver name: (_) @refer.call))
(call_expression function: (generic_function function: (identifier) @refer.call))
(call_expression function: (generic_function function: (field_expression value: (_) @receiver field: (field_identifier) @refer.call)))
(call_expression function: (generic_function function: (scoped_identifier path: (_) @receiver name: (_) @refer.call)))
(struct_expression name: (_) @receiver body: (field_initializer_list (field_initializer field: (_) @refer.write)))
(struct_pattern type: (_) @receiver (field_pattern name: (field_identifier) @refer.read))
(assignment_expression left: (field_expression value: (_) @receiver field: (field_identifier) @refer.write))
(impl_item trait: (type_identifier) @refer.extends)
(impl_item trait: (generic_type type: (type_identifier) @refer.extends))
(impl_item trait: (scoped_type_identifier path: (_) @receiver name: (_) @refer.extends))
(trait_item bounds: (trait_bounds (type_identifier) @refer.extends))
(token_tree (identifier) @refer.token)
(macro_invocation macro: (identifier) @refer.call)
