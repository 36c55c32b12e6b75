; Scala: symbols, uses inside a type, and references by name.

[(function_definition) (function_declaration)] @scope.function
[(class_definition) (object_definition) (trait_definition) (enum_definition)] @scope.class
[(block) (case_clause)] @scope.block
(lambda_expression) @scope.arrow
(package_clause name: (_) @package)

(class_definition name: (_) @name) @define.class
(object_definition name: (_) @name) @define.class
(trait_definition name: (_) @name) @define.interface
(enum_definition name: (_) @name) @define.enum
(simple_enum_case name: (_) @name) @define.field
(full_enum_case name: (_) @name) @define.field
(type_definition name: (_) @name) @define.type
(function_definition name: (_) @name) @define.function
(function_declaration name: (_) @name) @define.function
(val_definition pattern: (identifier) @name type: (_)? @type value: (_) @value) @define.variable
(var_definition pattern: (identifier) @name type: (_)? @type value: (_) @value) @define.variable
(class_parameter name: (_) @name type: (_) @type) @define.property
(parameter name: (_) @name type: (_) @type) @define.parameter
(function_definition return_type: (_) @type) @result
(function_declaration return_type: (_) @type) @result
(extends_clause type: (_) @base) @extends

(identifier) @refer.read
(type_identifier) @refer.type
(call_expression function: (identifier) @refer.call)
(call_expression function: (field_expression value: (_) @receiver field: (_) @refer.call))
(field_expression value: (_) @receiver field: (_) @refer.read)
(instance_expression (type_identifier) @refer.call)
(extends_clause type: (type_identifier) @refer.extends)
(import_declaration path: (identifier) @ignored)
(package_identifier (identifier) @ignored)
