; Definitions
(class_definition name: (identifier) @name) @class
(function_definition function: (identifier) @name) @function
(function_declaration function: (identifier) @name) @function

; References
(function_call function: (identifier) @call)
(function_call function: (dotted_identifier (identifier) @call))
(juxt_function_call function: (identifier) @call)
