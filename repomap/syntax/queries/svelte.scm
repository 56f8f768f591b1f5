; Definitions
(attribute (attribute_name) @_id (quoted_attribute_value (attribute_value) @name) (#eq? @_id "id")) @key

; References
(start_tag (tag_name) @use (#match? @use "^[A-Z]"))
(self_closing_tag (tag_name) @use (#match? @use "^[A-Z]"))
