; Definitions
(block (identifier) (string_lit (template_literal) @name) (block_start)) @key
(block (identifier) (string_lit) (string_lit (template_literal) @name)) @key
(block (identifier) @_kind (body (attribute (identifier) @name) @variable) (#eq? @_kind "locals"))
(config_file (body (attribute (identifier) @name) @key))

; References
(get_attr (identifier) @use)
(function_call (identifier) @call)
