; Definitions
(source_file (field (label (identifier) @name)) @key)
(field (label (identifier) @name) (#match? @name "^#")) @type
(package_clause (package_identifier) @name) @module

; References
(call_expression function: (identifier) @call)
(identifier) @use
