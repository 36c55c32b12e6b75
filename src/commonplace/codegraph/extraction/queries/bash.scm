; Shell: functions, variables of a file, and commands.

(function_definition) @scope.function

(function_definition name: (word) @name) @define.function
(program (variable_assignment name: (variable_name) @name) @define.variable)
(program (declaration_command (variable_assignment name: (variable_name) @name) @define.variable))

(command name: (command_name (word) @refer.call))
(simple_expansion (variable_name) @refer.read)
(expansion (variable_name) @refer.read)
