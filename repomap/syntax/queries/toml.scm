; Definitions
(table [(bare_key) (dotted_key) (quoted_key)] @name) @key
(table_array_element [(bare_key) (dotted_key) (quoted_key)] @name) @key
(pair [(bare_key) (dotted_key) (quoted_key)] @name) @key

; References
(dotted_key (bare_key) @use)
