; Definitions
(from_instruction as: (image_alias) @name) @key
(arg_instruction name: (unquoted_string) @name) @variable
(env_instruction (env_pair name: (unquoted_string) @name)) @variable

; References
(expansion (variable) @use)
(image_spec name: (image_name) @use)
