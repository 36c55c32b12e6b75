; Lua: symbols, and references by name.

[(function_declaration) (function_definition)] @scope.function
[(block) (for_statement)] @scope.block

(function_declaration name: (identifier) @name) @define.function
(function_declaration name: (dot_index_expression field: (identifier) @name)) @define.function
(function_declaration name: (method_index_expression method: (identifier) @name)) @define.method
(chunk (assignment_statement (variable_list name: (dot_index_expression field: (identifier) @name))
  (expression_list value: (function_definition) @value)) @define.function)
(chunk (variable_declaration (assignment_statement (variable_list name: (identifier) @name))) @define.variable)
(chunk (assignment_statement (variable_list name: (identifier) @name)) @define.variable)

(function_call name: (identifier) @refer.call)
(function_call name: (dot_index_expression table: (_) @receiver field: (_) @refer.call))
(function_call name: (method_index_expression table: (_) @receiver method: (_) @refer.call))
