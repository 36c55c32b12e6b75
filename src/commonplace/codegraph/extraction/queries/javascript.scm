; JavaScript where it differs from TypeScript.

(field_definition property: (_) @name value: (_)? @value) @define.field
(field_definition "static") @static
(formal_parameters [(identifier) (object_pattern) (array_pattern) (assignment_pattern) (rest_pattern)] @name @define.parameter)
(arrow_function parameter: (_) @name @define.parameter)
(class_heritage (_) @base) @extends
(class_heritage (identifier) @refer.extends)
(class_heritage (member_expression object: (_) @receiver property: (_) @refer.extends))

; CommonJS: required modules and exports.
(variable_declarator name: (identifier) @name
  value: (call_expression function: (identifier) @call arguments: (arguments . (comment)* . (string) @module))
  (#eq? @call "require")) @import.all
(variable_declarator name: (object_pattern (shorthand_property_identifier_pattern) @imported)
  value: (call_expression function: (identifier) @call arguments: (arguments . (comment)* . (string) @module))
  (#eq? @call "require")) @import.named
(variable_declarator name: (object_pattern (pair_pattern key: (property_identifier) @imported value: (identifier) @name))
  value: (call_expression function: (identifier) @call arguments: (arguments . (comment)* . (string) @module))
  (#eq? @call "require")) @import.named
(variable_declarator name: (identifier) @name
  value: (member_expression
    object: (call_expression function: (identifier) @call arguments: (arguments . (comment)* . (string) @module))
    property: (property_identifier) @imported)
  (#eq? @call "require")) @import.named

((assignment_expression left: (member_expression) @left right: (_) @value) @export.whole
  (#eq? @left "module.exports"))
((assignment_expression left: (member_expression) @left
  right: (object (shorthand_property_identifier) @value)) @export.local (#eq? @left "module.exports"))
((assignment_expression left: (member_expression) @left
  right: (object (pair key: (property_identifier) @name value: (identifier) @value))) @export.local
  (#eq? @left "module.exports"))
((assignment_expression left: (member_expression object: (_) @left property: (property_identifier) @name)
  right: (identifier) @value) @export.local (#any-of? @left "exports" "module.exports"))
((assignment_expression left: (member_expression object: (_) @left property: (property_identifier) @name)
  right: [(function_expression) (arrow_function) (class) (object) (array) (call_expression)
    (new_expression) (string) (template_string) (number) (true) (false) (regex)] @value) @define.variable
  (#any-of? @left "exports" "module.exports"))
((assignment_expression left: (member_expression object: (_) @left)) @declared @exported
  (#any-of? @left "exports" "module.exports"))
