; Definitions
(class_definition name: (identifier) @name) @class
(object_definition name: (identifier) @name) @class
(trait_definition name: (identifier) @name) @interface
(enum_definition name: (identifier) @name) @enum
(function_definition name: (identifier) @name) @function
(function_declaration name: (identifier) @name) @function
(template_body (function_definition name: (identifier) @name) @method)
(template_body (function_declaration name: (identifier) @name) @method)
(type_definition name: (type_identifier) @name) @type
(val_definition pattern: (identifier) @name) @variable
(package_clause name: (package_identifier) @name) @module

; References
(call_expression function: (identifier) @call)
(call_expression function: (field_expression field: (identifier) @call))
(type_identifier) @use
