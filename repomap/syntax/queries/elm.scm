; Definitions
(value_declaration (function_declaration_left (lower_case_identifier) @name)) @function
(type_declaration (upper_case_identifier) @name) @type
(type_alias_declaration (upper_case_identifier) @name) @type
(union_variant (upper_case_identifier) @name) @constant
(module_declaration (upper_case_qid) @name) @module
(port_annotation (lower_case_identifier) @name) @function

; References
(function_call_expr target: (value_expr (value_qid (lower_case_identifier) @call)))
(upper_case_qid (upper_case_identifier) @use)
