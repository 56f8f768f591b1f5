; Definitions
(class_selector (class_name) @name) @key
(id_selector (id_name) @name) @key
(keyframes_statement (keyframes_name) @name) @key
(declaration (property_name) @name (#match? @name "^--")) @variable

; References
(call_expression (arguments (plain_value) @use) (#match? @use "^--"))
