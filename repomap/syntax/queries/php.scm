; Definitions
(function_definition name: (name) @name) @function
(method_declaration name: (name) @name) @method
(class_declaration name: (name) @name) @class
(interface_declaration name: (name) @name) @interface
(trait_declaration name: (name) @name) @class
(enum_declaration name: (name) @name) @enum
(namespace_definition name: (namespace_name) @name) @module
(const_element (name) @name) @constant

; References
(function_call_expression function: (name) @call)
(function_call_expression function: (qualified_name (name) @call))
(member_call_expression name: (name) @call)
(scoped_call_expression name: (name) @call)
(object_creation_expression (name) @use)
(object_creation_expression (qualified_name (name) @use))
(named_type (name) @use)
(base_clause (name) @use)
(class_interface_clause (name) @use)
