; Definitions
(class_declaration name: (identifier) @name) @class
(interface_declaration name: (identifier) @name) @interface
(enum_declaration name: (identifier) @name) @enum
(record_declaration name: (identifier) @name) @class
(annotation_type_declaration name: (identifier) @name) @interface
(method_declaration name: (identifier) @name) @method
(constructor_declaration name: (identifier) @name) @method
(enum_constant name: (identifier) @name) @constant
(field_declaration declarator: (variable_declarator name: (identifier) @name)) @field

; References
(method_invocation name: (identifier) @call)
(object_creation_expression type: (type_identifier) @use)
(type_identifier) @use
(field_access field: (identifier) @use)
(marker_annotation name: (identifier) @use)
(annotation name: (identifier) @use)
