; Definitions
(function_declaration name: (identifier) @name) @function
(generator_function_declaration name: (identifier) @name) @function
(class_declaration name: (identifier) @name) @class
(class name: (identifier) @name) @class
(method_definition name: (property_identifier) @name) @method
(method_definition name: (private_property_identifier) @name) @method
(field_definition property: (property_identifier) @name value: [(arrow_function) (function_expression)]) @method
(variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression) (generator_function)]) @function
(assignment_expression left: (identifier) @name right: [(arrow_function) (function_expression) (generator_function)]) @function
(assignment_expression left: (member_expression property: (property_identifier) @name) right: [(arrow_function) (function_expression) (generator_function)]) @function
(assignment_expression left: (member_expression property: (property_identifier) @name) right: (assignment_expression right: [(arrow_function) (function_expression)])) @function
(assignment_expression left: (member_expression property: (property_identifier) @name) right: (class)) @class
(pair key: (property_identifier) @name value: [(arrow_function) (function_expression) (generator_function)]) @method
(program (lexical_declaration (variable_declarator name: (identifier) @name) @variable))
(program (export_statement (lexical_declaration (variable_declarator name: (identifier) @name) @variable)))

; References
((call_expression function: (identifier) @call) (#not-eq? @call "require"))
(call_expression function: (member_expression property: (property_identifier) @call))
(new_expression constructor: (identifier) @use)
(new_expression constructor: (member_expression property: (property_identifier) @use))
(member_expression property: (property_identifier) @use)
(import_specifier name: (identifier) @use)
(import_clause (identifier) @use)
(class_heritage (identifier) @use)
(jsx_opening_element name: (identifier) @use)
(jsx_self_closing_element name: (identifier) @use)
