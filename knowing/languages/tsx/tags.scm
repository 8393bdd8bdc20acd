; JSX: an element calls its component. JavaScript takes this query, too.
((jsx_opening_element name: (identifier) @ref.call) (#match? @ref.call "^[A-Z]"))
((jsx_self_closing_element name: (identifier) @ref.call) (#match? @ref.call "^[A-Z]"))
(jsx_opening_element name: (member_expression property: (_) @member.call))
(jsx_self_closing_element name: (member_expression property: (_) @member.call))
(jsx_expression (identifier) @ref)
