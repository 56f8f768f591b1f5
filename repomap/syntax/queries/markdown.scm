; Definitions
(atx_heading heading_content: (inline) @name) @heading
(setext_heading heading_content: (paragraph) @name) @heading

; References
(link_reference_definition (link_label) @use)
