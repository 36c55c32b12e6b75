; Ruby: symbols, and references by name.

[(method) (singleton_method)] @scope.function
[(class) (module)] @scope.class
[(block) (do_block)] @scope.block

(method name: (_) @name) @define.function
(singleton_method name: (_) @name) @define.method
(class name: (constant) @name) @define.class
(module name: (constant) @name) @define.namespace
(assignment left: (constant) @name) @define.constant

(call !receiver method: (identifier) @refer.call)
(call receiver: (_) @receiver method: (identifier) @refer.call)
(superclass (constant) @refer.extends)
(constant) @refer.type
