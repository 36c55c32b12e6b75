; Common to C and C++. Roles are explained in matches.py.

(function_definition) @scope.function
[(declaration (function_declarator) @scope.function)
 (declaration (pointer_declarator (function_declarator) @scope.function))
 (declaration (pointer_declarator (pointer_declarator (function_declarator) @scope.function)))
 (field_declaration (function_declarator) @scope.function)
 (field_declaration (pointer_declarator (function_declarator) @scope.function))
 (type_definition (function_declarator) @scope.function)
 (parameter_declaration (function_declarator) @scope.function)
 (function_declarator declarator: (parenthesized_declarator (pointer_declarator))) @scope.function]
[(struct_specifier body: (_)) (union_specifier body: (_))] @scope.class
[(compound_statement) (for_statement)] @scope.block

(function_definition declarator: (_) @name) @define.declared
(declaration type: (_) @type declarator: (init_declarator declarator: (_) @name value: (_) @value)) @define.declared
(declaration type: (_) @type declarator: [(identifier) (pointer_declarator) (array_declarator)
  (function_declarator) (parenthesized_declarator)] @name) @define.declared
(field_declaration type: (_) @type declarator: (_) @name) @define.declared
(type_definition type: (_) @type declarator: (_) @name) @define.typedef
(parameter_declaration type: (_) @type declarator: (_) @name) @define.parameter
(_ "..." @define.variadic)
(parameter_declaration type: (_) @type !declarator) @define.unnamed
(struct_specifier name: (_) @name body: (_)) @define.class
(union_specifier name: (_) @name body: (_)) @define.class
(enum_specifier name: (_) @name body: (_)) @define.enum
(enumerator name: (_) @name) @define.enumerator
[(preproc_def name: (_) @name) (preproc_function_def name: (_) @name)] @define.macro

(preproc_include path: (_) @module) @export.star
(preproc_include path: (_) @refer.include)

(function_definition type: (_) @type declarator: (_) @declarator) @result
(declaration type: (_) @type declarator: (function_declarator) @result)
(declaration type: (_) @type declarator: (pointer_declarator (function_declarator) @result) @declarator)
(field_declaration type: (_) @type declarator: (function_declarator) @result)
(field_declaration type: (_) @type declarator: (pointer_declarator (function_declarator) @result) @declarator)
(identifier) @refer.read
(type_identifier) @refer.type
(field_expression argument: (_) @receiver field: (field_identifier) @refer.read)
(call_expression function: (identifier) @refer.call)
(call_expression function: (parenthesized_expression (identifier) @refer.call))
(call_expression function: (field_expression argument: (_) @receiver field: (field_identifier) @refer.call))
(assignment_expression left: (identifier) @refer.write)
(assignment_expression left: (field_expression argument: (_) @receiver field: (field_identifier) @refer.write))
(update_expression argument: (identifier) @refer.write)
(update_expression argument: (field_expression argument: (_) @receiver field: (field_identifier) @refer.write))
(initializer_list (initializer_pair designator: (field_designator (field_identifier) @refer.write))) @receiver
(struct_specifier name: (type_identifier) @refer.tag)
(union_specifier name: (type_identifier) @refer.tag)
(enum_specifier name: (type_identifier) @refer.tag)
(translation_unit (struct_specifier name: (type_identifier) @name !body) @define.forward)
(translation_unit (struct_specifier name: (_) @ignored !body))
(preproc_arg) @refer.tokens
(preproc_params (identifier) @ignored)
(labeled_statement label: (_) @ignored)
(goto_statement label: (_) @ignored)
