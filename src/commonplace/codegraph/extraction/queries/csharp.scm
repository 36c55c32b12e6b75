; C#. Roles are explained in matches.py.

[(method_declaration) (constructor_declaration) (local_function_statement) (property_declaration)
 (indexer_declaration) (operator_declaration) (delegate_declaration)] @scope.function
[(lambda_expression) (anonymous_method_expression)] @scope.arrow
[(class_declaration) (interface_declaration) (struct_declaration) (record_declaration)
 (enum_declaration)] @scope.class
[(block) (for_statement) (foreach_statement) (using_statement) (catch_clause) (switch_section)
 (query_expression) (switch_expression_arm) (accessor_declaration)] @scope.block
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
(from_clause type: (_)? @type name: (identifier) @name "in" . (_) @iterated) @define.variable
(join_clause . (identifier) @name "in" . (_) @iterated) @define.variable
(let_clause . (identifier) @name (_) @value) @define.variable
(using_statement (variable_declaration type: (_) @type (variable_declarator name: (_) @name (_)? @value) @define.variable))
(catch_declaration type: (_) @type name: (_) @name) @define.variable
(declaration_pattern type: (_) @type name: (_) @name) @define.variable
(argument (declaration_expression type: (_) @type name: (_) @name) @define.variable) @handed
(declaration_expression type: (_) @type name: (_) @name) @define.variable
(tuple_pattern name: (identifier) @name @define.variable)
(recursive_pattern type: (_) @type name: (_) @name) @define.variable
(method_declaration name: (_) @extending parameters: (parameter_list
  . (parameter (modifier) @marked type: (_) @type name: (_) @name) @define.receiver)
  (#eq? @marked "this"))
(parameter type: (_) @type name: (_) @name) @define.parameter
(parameter . name: (_) @name) @define.parameter
(parameter_list "params" type: (_) @type name: (_) @name @define.rest)
(parameter "=") @static
([(method_declaration (modifier) @marked) (property_declaration (modifier) @marked)] @static
  (#eq? @marked "static"))
(field_declaration (modifier) @marked (variable_declaration (variable_declarator) @static)
  (#any-of? @marked "static" "const"))
(record_declaration (parameter_list (parameter type: (_) @type name: (_) @name) @define.property))
(lambda_expression parameters: (implicit_parameter) @name @define.parameter)
(accessor_declaration name: ["set" "init" "add" "remove"] body: (_) @define.setter)
(type_parameter name: (_) @name) @define.type_parameter
(_ [type_parameters: (type_parameter_list (type_parameter name: (_) @name) @define.type_parameter)
    (type_parameter_list (type_parameter name: (_) @name) @define.type_parameter)]
  (type_parameter_constraints_clause . (identifier) @constrained
    (type_parameter_constraint type: (_) @type))
  (#eq? @constrained @name))

(using_directive "using" . (_) @imported .) @import.namespace
(using_directive "static" . (_) @imported .) @import.static
(using_directive name: (_) @name (_) @imported .) @import.alias
(_ (modifier "public")) @declared @exported
(method_declaration returns: (_) @type) @result
(local_function_statement type: (_) @type) @result
(delegate_declaration type: (_) @type) @result
(return_statement (_) @return)
(lambda_expression body: (_) @return)
(argument (lambda_expression) @expected.argument)
(variable_declaration type: (_) @by (variable_declarator (lambda_expression) @expected.typed))
(base_list (_) @base) @extends

(identifier) @refer.read
(member_access_expression expression: (_) @receiver name: [(identifier) @refer.read (generic_name . (identifier) @refer.read)])
(member_access_expression ["this" "base"] @receiver name: [(identifier) @refer.read (generic_name . (identifier) @refer.read)])
(conditional_access_expression condition: (_) @receiver
  (member_binding_expression name: [(identifier) @refer.read (generic_name . (identifier) @refer.read)]))
(invocation_expression function: [(identifier) @refer.call (generic_name . (identifier) @refer.call)])
(invocation_expression function: (member_access_expression expression: (_) @receiver
  name: [(identifier) @refer.call (generic_name . (identifier) @refer.call)]))
(invocation_expression function: (member_access_expression ["this" "base"] @receiver
  name: [(identifier) @refer.call (generic_name . (identifier) @refer.call)]))
(invocation_expression function: (conditional_access_expression condition: (_) @receiver
  (member_binding_expression name: [(identifier) @refer.call (generic_name . (identifier) @refer.call)])))
(object_creation_expression type: (identifier) @refer.call) @arity
(object_creation_expression type: (generic_name . (identifier) @refer.call (type_argument_list) @arity))
(object_creation_expression type: (qualified_name qualifier: (_) @receiver
  name: [(identifier) @refer.call (generic_name . (identifier) @refer.call)]))
(object_creation_expression initializer: (initializer_expression
  (assignment_expression left: (identifier) @refer.write))) @receiver
(base_list (identifier) @refer.extends)
(base_list (generic_name . (identifier) @refer.extends (type_argument_list) @arity))
(base_list (qualified_name qualifier: (_) @receiver
  name: [(identifier) @refer.extends (generic_name . (identifier) @refer.extends)]))
(parameter type: (identifier) @refer.type)
(variable_declaration type: (identifier) @refer.type)
(property_declaration type: (identifier) @refer.type)
(method_declaration returns: (identifier) @refer.type)
(local_function_statement type: (identifier) @refer.type)
(delegate_declaration type: (identifier) @refer.type)
(indexer_declaration type: (identifier) @refer.type)
(operator_declaration type: (identifier) @refer.type)
(foreach_statement type: (identifier) @refer.type)
(declaration_pattern type: (identifier) @refer.type)
(declaration_expression type: (identifier) @refer.type)
(catch_declaration type: (identifier) @refer.type)
(array_type type: (identifier) @refer.type)
(nullable_type type: (identifier) @refer.type)
(typeof_expression type: (identifier) @refer.type)
(default_expression type: (identifier) @refer.type)
(as_expression right: (identifier) @refer.type)
(type_parameter_constraint type: (identifier) @refer.type)
(type_argument_list (identifier) @refer.type)
(generic_name . (identifier) @refer.type (type_argument_list) @arity)
(cast_expression type: (identifier) @refer.type)
(qualified_name qualifier: (_) @receiver
  name: [(identifier) @refer.type (generic_name . (identifier) @refer.type)])
(attribute name: (identifier) @refer.annotation)
(attribute name: (qualified_name qualifier: (_) @receiver name: (identifier) @refer.annotation))
(assignment_expression left: (identifier) @refer.write)
(assignment_expression left: (member_access_expression expression: (_) @receiver name: (identifier) @refer.write))
(assignment_expression left: (member_access_expression ["this" "base"] @receiver name: (identifier) @refer.write))
(is_pattern_expression expression: (_) @receiver
  pattern: (recursive_pattern (property_pattern_clause (subpattern . (identifier) @refer.read ":"))))
(argument name: (identifier) @ignored)
(attribute_argument name: (identifier) @ignored)
(tuple_element name: (identifier) @ignored)
(using_directive "using" . [(identifier) @ignored (qualified_name (identifier) @ignored)
  (qualified_name (qualified_name (identifier) @ignored))
  (qualified_name (qualified_name (qualified_name (identifier) @ignored)))])
(namespace_declaration name: [(qualified_name (identifier) @ignored)
  (qualified_name (qualified_name (identifier) @ignored))
  (qualified_name (qualified_name (qualified_name (identifier) @ignored)))])
(file_scoped_namespace_declaration name: [(qualified_name (identifier) @ignored)
  (qualified_name (qualified_name (identifier) @ignored))
  (qualified_name (qualified_name (qualified_name (identifier) @ignored)))])
