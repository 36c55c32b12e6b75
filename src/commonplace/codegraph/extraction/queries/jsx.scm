; Elements: a component is used where its tag opens.

(jsx_opening_element name: (identifier) @refer.jsx)
(jsx_self_closing_element name: (identifier) @refer.jsx)
(jsx_opening_element name: (member_expression object: (_) @receiver property: (_) @refer.jsx))
(jsx_self_closing_element name: (member_expression object: (_) @receiver property: (_) @refer.jsx))
