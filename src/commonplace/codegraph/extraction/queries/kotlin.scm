; Kotlin. Roles are explained in matches.py.

[(function_declaration) (secondary_constructor) (anonymous_initializer) (getter) (setter)] @scope.function
(function_declaration [(user_type) (nullable_type)] . name: (_)) @scope.extension
(property_declaration [(user_type) (nullable_type)] . (variable_declaration)) @scope.extension
(lambda_literal) @scope.arrow
[(class_declaration) (object_declaration) (companion_object) (object_literal)] @scope.class
[(block) (for_statement) (when_entry) (catch_block)] @scope.block
(package_header (_) @package)

(class_declaration "class" name: (_) @name) @define.class
(class_declaration "interface" name: (_) @name) @define.interface
(object_declaration name: (_) @name) @define.class
(companion_object) @define.companion
(enum_entry . (identifier) @name) @define.enumerated
(type_alias type: (identifier) @name (_) @value .) @define.type
(function_declaration name: (_) @name) @define.function
(function_declaration [(user_type) (nullable_type)] @name . name: (_)) @define.extension
(property_declaration [(user_type) (nullable_type)] @name . (variable_declaration)) @define.extension
(lambda_literal) @define.it
(property_declaration (variable_declaration . (identifier) @name . (_) @type)) @define.variable
(property_declaration (variable_declaration . (identifier) @name .) "=" . (_) @value) @define.variable
(property_declaration (variable_declaration . (identifier) @name .)) @define.variable
(property_declaration (multi_variable_declaration
  (variable_declaration . (identifier) @name . (_)? @type) @define.variable))
(for_statement (multi_variable_declaration (variable_declaration . (identifier) @name) @define.variable))
(catch_block . (identifier) @name . (_) @type) @define.variable
(when_subject (variable_declaration . (identifier) @name .) "=" . (_) @value) @define.variable
(class_parameter ["val" "var"] (identifier) @name (_) @type) @define.property
(class_parameter (identifier) @name (_) @type) @define.parameter
(function_value_parameters (parameter_modifiers (parameter_modifier) @marked)
  . (parameter (identifier) @name (_) @type) @define.vararg (#eq? @marked "vararg"))
(parameter (identifier) @name (_) @type) @define.parameter
(function_value_parameters (parameter) @static . "=")
(lambda_parameters (variable_declaration . (identifier) @name . (_)? @type) @define.parameter)
(lambda_parameters (multi_variable_declaration (variable_declaration . (identifier) @name) @define.variable))
(for_statement (variable_declaration . (identifier) @name . (_)? @type) . (_) @iterated) @define.variable
(type_parameter . (identifier) @name (user_type)? @type) @define.type_parameter

(import (qualified_identifier) @imported (identifier)? @name) @import.path
(import (qualified_identifier) @imported "*") @import.folder

(function_declaration (function_value_parameters) . [(user_type) (nullable_type)] @type) @result
(function_body "=" . (_) @return)
(lambda_literal (_) @return .)
(annotated_lambda (lambda_literal) @expected.argument)
(value_argument (lambda_literal) @expected.argument)
(return_expression (_) @return)
(delegation_specifier (user_type) @base) @extends
(delegation_specifier (constructor_invocation (user_type) @base)) @extends

(identifier) @refer.read
(user_type . (identifier) @refer.type)
(user_type (identifier) @receiver . (identifier) @refer.type)
(infix_expression . (_) @receiver . (identifier) @refer.call)
(navigation_expression . (_) @receiver (identifier) @refer.read .)
(call_expression . (identifier) @refer.call)
(call_expression . (navigation_expression . (_) @receiver (identifier) @refer.call .))
(delegation_specifier (user_type . (identifier) @refer.extends))
(delegation_specifier (constructor_invocation (user_type . (identifier) @refer.extends)))
(annotation (user_type . (identifier) @refer.annotation))
(annotation (constructor_invocation (user_type . (identifier) @refer.annotation)))
(assignment left: (identifier) @refer.write)
(assignment left: (navigation_expression . (_) @receiver (identifier) @refer.write .))
(value_argument (identifier) @ignored "=")
(package_header (qualified_identifier (identifier) @ignored))
