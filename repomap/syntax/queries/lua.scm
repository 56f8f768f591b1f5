; Definitions
(function_statement name: (_) @name) @function
(variable_declaration name: (variable_declarator) @name value: (function)) @function

; References
(function_call prefix: (identifier) @call)
