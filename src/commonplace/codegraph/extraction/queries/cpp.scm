; C++ in addition to c.scm.

(lambda_expression) @scope.arrow
(class_specifier body: (_)) @scope.class
(enum_specifier ["class" "struct"] body: (_)) @scope.class
(namespace_definition) @scope.namespace
(alias_declaration) @scope.class
[(for_range_loop) (if_statement) (while_statement) (catch_clause)] @scope.block
[(declaration (reference_declarator (function_declarator) @scope.function))
 (field_declaration (reference_declarator (function_declarator) @scope.function))]
[(function_definition declarator: (function_declarator declarator: (qualified_identifier)))
 (function_definition declarator: (_ (function_declarator declarator: (qualified_identifier))))
 (function_definition declarator: (_ (_ (function_declarator declarator: (qualified_identifier)))))
 (function_definition declarator: (qualified_identifier))
 (declaration declarator: (init_declarator declarator: (qualified_identifier)))
 (declaration declarator: (init_declarator declarator: (_ (qualified_identifier))))
 (declaration declarator: (qualified_identifier))
 (declaration declarator: (array_declarator (qualified_identifier)))] @scope.extension

(function_definition !type declarator: (function_declarator declarator: (identifier) @fixture)
  (#any-of? @fixture "TEST_F" "TEST_P" "TYPED_TEST" "TYPED_TEST_P")) @scope.extension

(class_specifier name: (_) @name body: (_)) @define.class
(namespace_definition name: (_) @name) @define.namespace
(alias_declaration name: (_) @name type: (_) @type) @define.alias
(concept_definition name: (_) @name) @define.type
(declaration type: (_) @type declarator: [(reference_declarator) (qualified_identifier)] @name) @define.declared
(declaration !type declarator: (_) @name) @define.declared
(declaration type: (_) @type declarator: (_) @name value: (_) @value) @define.declared
(optional_parameter_declaration type: (_) @type declarator: (_) @name) @define.parameter
(optional_parameter_declaration type: (_) @type !declarator) @define.unnamed
(variadic_parameter_declaration type: (_) @type declarator: (_) @name) @define.parameter
(for_range_loop type: (_) @type declarator: (_) @name right: (_) @iterated) @define.declared
(type_parameter_declaration (type_identifier) @name) @define.type_parameter
(optional_type_parameter_declaration name: (_) @name) @define.type_parameter
(variadic_type_parameter_declaration (type_identifier) @name) @define.type_parameter
(lambda_capture_initializer left: (identifier) @name right: (_) @value) @define.captured

(using_declaration "namespace" . (_) @value) @export.using
(using_declaration "using" . (qualified_identifier) @imported) @import.using
(namespace_alias_definition name: (_) @name (_) @imported .) @import.aliased

(declaration type: (_) @type declarator: (reference_declarator (function_declarator) @result))
(field_declaration type: (_) @type declarator: (reference_declarator (function_declarator) @result))
(function_definition declarator: (function_declarator (trailing_return_type (_) @type))) @result
(lambda_expression (_ (trailing_return_type (_) @type))) @result
(lambda_expression body: (compound_statement (return_statement (_) @return)))
(function_definition type: (placeholder_type_specifier)
  body: (compound_statement (return_statement (_) @return)))
(base_class_clause [(type_identifier) (template_type) (qualified_identifier)] @base @extends)

(qualified_identifier scope: (namespace_identifier) @refer.type)
(qualified_identifier scope: (template_type name: (type_identifier) @refer.type))
(qualified_identifier scope: (_) @receiver name: (qualified_identifier scope: (namespace_identifier) @refer.type))
(qualified_identifier scope: (_) @receiver
  name: (qualified_identifier scope: (template_type name: (type_identifier) @refer.type)))
(qualified_identifier scope: (_) @receiver name: (identifier) @refer.read)
(qualified_identifier scope: (_) @receiver name: (type_identifier) @refer.type)
(qualified_identifier scope: (_) @receiver name: (template_type name: (type_identifier) @refer.type))
(qualified_identifier scope: (_) @receiver name: (template_function name: (identifier) @refer.read))
(call_expression function: (template_function name: (identifier) @refer.call))
(call_expression function: (qualified_identifier !scope name: (identifier) @refer.call))
(call_expression function: (qualified_identifier scope: (_) @receiver name: (identifier) @refer.call))
(call_expression function: (qualified_identifier scope: (_) @receiver
  name: (template_function name: (identifier) @refer.call)))
(call_expression function: (qualified_identifier name: (qualified_identifier scope: (_) @receiver
  name: (identifier) @refer.call)))
(call_expression function: (qualified_identifier name: (qualified_identifier
  name: (qualified_identifier scope: (_) @receiver name: (identifier) @refer.call))))
(call_expression function: (qualified_identifier name: (qualified_identifier scope: (_) @receiver
  name: (template_function name: (identifier) @refer.call))))
(call_expression function: (field_expression argument: (_) @receiver
  field: (template_method name: (field_identifier) @refer.call)))
(field_expression argument: (_) @receiver field: (template_method name: (field_identifier) @refer.read))
(field_expression argument: (_) @receiver field: (dependent_name (template_method name: (field_identifier) @refer.read)))
(field_initializer . (field_identifier) @refer.write)
(base_class_clause (type_identifier) @refer.extends)
(base_class_clause (template_type name: (type_identifier) @refer.extends))
(base_class_clause (qualified_identifier scope: (_) @receiver name: (type_identifier) @refer.extends))
(base_class_clause (qualified_identifier scope: (_) @receiver
  name: (template_type name: (type_identifier) @refer.extends)))
(new_expression type: (type_identifier) @refer.call)
(new_expression type: (template_type name: (type_identifier) @refer.call))
(new_expression type: (qualified_identifier scope: (_) @receiver name: (type_identifier) @refer.call))
(class_specifier name: (type_identifier) @refer.tag)
(translation_unit (class_specifier name: (type_identifier) @name !body) @define.forward)
(declaration_list [(class_specifier name: (type_identifier) @name !body)
  (struct_specifier name: (type_identifier) @name !body)] @define.forward)
(translation_unit (class_specifier name: (_) @ignored !body))
(declaration_list [(class_specifier name: (_) @ignored !body) (struct_specifier name: (_) @ignored !body)])
(field_declaration type: [(class_specifier name: (_) @ignored !body) (struct_specifier name: (_) @ignored !body)] !declarator)
(declaration declarator: (function_declarator declarator: (destructor_name (identifier) @ignored)))
(function_definition declarator: (function_declarator declarator: (destructor_name (identifier) @ignored)))
(attribute name: (identifier) @ignored)
(using_declaration "namespace" . (identifier) @refer.type)
