; Definitions
(class_declaration name: (identifier) @name) @class
(struct_declaration name: (identifier) @name) @class
(record_declaration name: (identifier) @name) @class
(interface_declaration name: (identifier) @name) @interface
(enum_declaration name: (identifier) @name) @enum
(enum_member_declaration name: (identifier) @name) @constant
(delegate_declaration name: (identifier) @name) @type
(method_declaration name: (identifier) @name) @method
(constructor_declaration name: (identifier) @name) @method
(property_declaration name: (identifier) @name) @field
(local_function_statement name: (identifier) @name) @function
(namespace_declaration name: (_) @name) @module
(file_scoped_namespace_declaration name: (_) @name) @module

; References
(invocation_expression function: (identifier) @call)
(invocation_expression function: (member_access_expression name: (identifier) @call))
(object_creation_expression type: (identifier) @use)
(base_list (identifier) @use)
(parameter type: (identifier) @use)
(variable_declaration type: (identifier) @use)
