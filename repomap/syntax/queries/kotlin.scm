; Definitions
(class_declaration (type_identifier) @name) @class
(object_declaration (type_identifier) @name) @class
(function_declaration (simple_identifier) @name) @function
(class_body (function_declaration (simple_identifier) @name) @method)
(type_alias (type_identifier) @name) @type
(source_file (property_declaration (variable_declaration (simple_identifier) @name)) @variable)
(class_body (property_declaration (variable_declaration (simple_identifier) @name)) @field)
(enum_entry (simple_identifier) @name) @constant

; References
(call_expression (simple_identifier) @call)
(call_expression (navigation_expression (navigation_suffix (simple_identifier) @call)))
(user_type (type_identifier) @use)
