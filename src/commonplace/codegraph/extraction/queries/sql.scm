; SQL: created objects, and references by name.

(create_table) @scope.class

(create_table (object_reference name: (identifier) @name)) @define.class
(create_view (object_reference name: (identifier) @name)) @define.class
(create_materialized_view (object_reference name: (identifier) @name)) @define.class
(create_type (object_reference name: (identifier) @name)) @define.type
(create_function (object_reference name: (identifier) @name)) @define.function
(create_trigger . (keyword_create) . (keyword_trigger) . (object_reference name: (identifier) @name)) @define.function
(create_index column: (identifier) @name) @define.constant
(column_definition name: (identifier) @name) @define.field

(relation (object_reference name: (identifier) @refer.type))
(insert (object_reference name: (identifier) @refer.type))
(alter_table (object_reference name: (identifier) @refer.type))
(create_index (object_reference name: (identifier) @refer.type))
(create_trigger (object_reference name: (identifier) @refer.call) .)
(invocation (object_reference name: (identifier) @refer.call))
