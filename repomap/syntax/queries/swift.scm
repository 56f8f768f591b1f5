; Definitions
(class_declaration name: (type_identifier) @name) @class
(class_declaration name: (user_type (type_identifier) @name)) @class
(protocol_declaration name: (type_identifier) @name) @interface
(function_declaration name: (simple_identifier) @name) @function
(class_body (function_declaration name: (simple_identifier) @name) @method)
(protocol_function_declaration name: (simple_identifier) @name) @method
(typealias_declaration name: (type_identifier) @name) @type
(init_declaration "init" @name) @method
(enum_entry name: (simple_identifier) @name) @constant
(source_file (property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @variable)

; References
(call_expression (simple_identifier) @call)
(call_expression (navigation_expression suffix: (navigation_suffix suffix: (simple_identifier) @call)))
(user_type (type_identifier) @use)
