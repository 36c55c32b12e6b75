; Java. Roles are explained in matches.py.

[(method_declaration) (constructor_declaration) (compact_constructor_declaration)
 (annotation_type_element_declaration)] @scope.function
(lambda_expression) @scope.arrow
[(class_declaration) (interface_declaration) (enum_declaration) (record_declaration)
 (annotation_type_declaration)] @scope.class
(object_creation_expression (class_body)) @scope.class
(enum_constant body: (_)) @scope.class
[(block) (for_statement) (enhanced_for_statement) (catch_clause) (switch_block)
 (try_with_resources_statement)] @scope.block

(package_declaration (_) @package)

(class_declaration name: (_) @name) @define.class
(record_declaration name: (_) @name) @define.class
(interface_declaration name: (_) @name) @define.interface
(annotation_type_declaration name: (_) @name) @define.interface
(enum_declaration name: (_) @name) @define.enum
(enum_constant name: (_) @name) @define.enumerated
(method_declaration name: (_) @name) @define.method
(annotation_type_element_declaration name: (_) @name) @define.method
(constructor_declaration name: (_) @name) @define.constructor
(field_declaration type: (_) @type declarator: (variable_declarator name: (_) @name) @define.field)
(constant_declaration type: (_) @type declarator: (variable_declarator name: (_) @name) @define.field)
(local_variable_declaration type: (_) @type
  declarator: (variable_declarator name: (_) @name value: (_)? @value) @define.variable)
(formal_parameter type: (_) @type name: (_) @name) @define.parameter
(record_declaration parameters: (formal_parameters
  (formal_parameter type: (_) @type name: (_) @name) @define.property))
(spread_parameter (_) @type . (variable_declarator name: (_) @name)) @define.parameter
(catch_formal_parameter (catch_type . (_) @type) name: (_) @name) @define.variable
(enhanced_for_statement type: (_) @type name: (_) @name value: (_) @iterated) @define.variable
(resource type: (_) @type name: (_) @name value: (_) @value) @define.variable
(instanceof_expression right: (_) @type name: (_) @name) @define.variable
(lambda_expression parameters: (identifier) @name @define.parameter)
(inferred_parameters (identifier) @name @define.parameter)
(type_parameter . (type_identifier) @name (type_bound . (_) @type)?) @define.type_parameter

(import_declaration (scoped_identifier) @imported .) @import.path
(import_declaration (scoped_identifier) @imported (asterisk)) @import.folder

(_ (modifiers "public")) @declared @exported
(method_declaration type: (_) @type) @result
(annotation_type_element_declaration type: (_) @type) @result
(return_statement (_) @return)

(superclass (_) @base @extends)
(super_interfaces (type_list (_) @base @extends))
(extends_interfaces (type_list (_) @base @extends))
(object_creation_expression type: (_) @base (class_body)) @extends

(argument_list (lambda_expression) @expected.argument)

(identifier) @refer.read
(type_identifier) @refer.type
(scoped_type_identifier (_) @receiver (type_identifier) @refer.type .)
(field_access object: (_) @receiver field: (_) @refer.read)
(method_invocation !object name: (_) @refer.call)
(method_invocation object: (_) @receiver name: (_) @refer.call)
(method_reference . (_) @receiver (identifier) @refer.read .)
(object_creation_expression type: (type_identifier) @refer.call)
(object_creation_expression type: (generic_type (type_identifier) @refer.call))
(object_creation_expression type: (scoped_type_identifier (_) @receiver (type_identifier) @refer.call .))
(object_creation_expression type:
  (generic_type . (scoped_type_identifier (_) @receiver (type_identifier) @refer.call .)))
(switch_expression condition: (_) @receiver
  body: (switch_block (_ (switch_label (identifier) @refer.case))))
(assignment_expression left: (identifier) @refer.write)
(assignment_expression left: (field_access object: (_) @receiver field: (_) @refer.write))
(superclass (type_identifier) @refer.extends)
(superclass (generic_type . (type_identifier) @refer.extends))
(superclass (scoped_type_identifier (_) @receiver (type_identifier) @refer.extends .))
(superclass (generic_type . (scoped_type_identifier (_) @receiver (type_identifier) @refer.extends .)))
(super_interfaces (type_list (type_identifier) @refer.extends))
(super_interfaces (type_list (generic_type . (type_identifier) @refer.extends)))
(extends_interfaces (type_list (type_identifier) @refer.extends))
(extends_interfaces (type_list (generic_type . (type_identifier) @refer.extends)))
(super_interfaces (type_list
  (scoped_type_identifier (_) @receiver (type_identifier) @refer.extends .)))
(super_interfaces (type_list
  (generic_type . (scoped_type_identifier (_) @receiver (type_identifier) @refer.extends .))))
(extends_interfaces (type_list
  (scoped_type_identifier (_) @receiver (type_identifier) @refer.extends .)))
(extends_interfaces (type_list
  (generic_type . (scoped_type_identifier (_) @receiver (type_identifier) @refer.extends .))))
(annotation name: (identifier) @refer.annotation)
(marker_annotation name: (identifier) @refer.annotation)
(annotation name: (scoped_identifier scope: (_) @receiver name: (_) @refer.annotation))
(marker_annotation name: (scoped_identifier scope: (_) @receiver name: (_) @refer.annotation))
(annotation name: (_) @receiver
  arguments: (annotation_argument_list (element_value_pair key: (_) @refer.write)))
(labeled_statement (identifier) @ignored)
(package_declaration (scoped_identifier (identifier) @ignored))
