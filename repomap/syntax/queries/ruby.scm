; Definitions
(method name: (_) @name) @method
(singleton_method name: (_) @name) @method
(alias name: (_) @name) @method
(class name: [(constant) @name (scope_resolution name: (_) @name)]) @class
(module name: [(constant) @name (scope_resolution name: (_) @name)]) @module
(assignment left: (constant) @name) @constant

; References
(call method: (identifier) @call)
(call method: (constant) @call)
(constant) @use
