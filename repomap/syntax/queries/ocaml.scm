; Definitions
(value_definition (let_binding pattern: (value_name) @name)) @function
(external (value_name) @name) @function
(type_binding name: (type_constructor) @name) @type
(constructor_declaration (constructor_name) @name) @constant
(module_binding (module_name) @name) @module
(module_type_definition (module_type_name) @name) @interface
(class_binding name: (class_name) @name) @class
(method_definition name: (method_name) @name) @method
(exception_definition (constructor_declaration (constructor_name) @name)) @type

; References
(application_expression function: (value_path (value_name) @call))
(value_path (value_name) @use)
(type_constructor_path (type_constructor) @use)
(module_path (module_name) @use)
