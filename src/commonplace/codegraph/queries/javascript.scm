; What JavaScript writes otherwise than TypeScript.

(field_definition property: (_) @name value: (_)? @value) @define.field
(field_definition "static") @static
(formal_parameters [(identifier) (object_pattern) (array_pattern) (assignment_pattern) (rest_pattern)] @name @define.parameter)
(arrow_function parameter: (_) @name @define.parameter)
(class_heritage (_) @base) @extends
(class_heritage (identifier) @refer.extends)
(class_heritage (member_expression object: (_) @receiver property: (_) @refer.extends))
