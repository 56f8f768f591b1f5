; Definitions
(create_table (object_reference name: (identifier) @name)) @type
(create_view (object_reference name: (identifier) @name)) @type
(create_materialized_view (object_reference name: (identifier) @name)) @type
(create_function (object_reference name: (identifier) @name)) @function
(create_type (object_reference name: (identifier) @name)) @type
(create_index column: (identifier) @name) @key

; References
(relation (object_reference name: (identifier) @use))
(invocation (object_reference name: (identifier) @call))
