; Definitions
(element (start_tag (tag_name) @_tag) (text) @name (#match? @_tag "^([hH][1-6]|title)$")) @heading
(attribute (attribute_name) @_id (quoted_attribute_value (attribute_value) @name) (#eq? @_id "id")) @key

; References
(attribute (attribute_name) @_class (quoted_attribute_value (attribute_value) @use) (#eq? @_class "class"))
