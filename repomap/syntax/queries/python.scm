; Definitions
(class_definition name: (identifier) @name) @class
(function_definition name: (identifier) @name) @function
(class_definition body: (block (function_definition name: (identifier) @name) @method))
(class_definition body: (block (decorated_definition definition: (function_definition name: (identifier) @name)) @method))
(decorated_definition definition: (class_definition name: (identifier) @name)) @class
(decorated_definition definition: (function_definition name: (identifier) @name)) @function
(module (expression_statement (assignment left: (identifier) @name) @constant))

; References: calls, attributes, imports, decorators, type hints, base classes
(call function: (identifier) @call)
(call function: (attribute attribute: (identifier) @call))
(attribute attribute: (identifier) @use)
(decorator (identifier) @use)
(import_from_statement name: (dotted_name (identifier) @use))
(aliased_import name: (dotted_name (identifier) @use))
(type (identifier) @use)
(class_definition superclasses: (argument_list (identifier) @use))
