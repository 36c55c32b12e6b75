; JSX: the opening tag uses a component.

(jsx_opening_element name: (identifier) @refer.jsx)
(jsx_self_closing_element name: (identifier) @refer.jsx)
(jsx_opening_element name: (_) @receiver attribute: (jsx_attribute . (property_identifier) @refer.attribute))
(jsx_self_closing_element name: (_) @receiver attribute: (jsx_attribute . (property_identifier) @refer.attribute))
(jsx_opening_element name: (member_expression object: (_) @receiver property: (_) @refer.jsx))
(jsx_self_closing_element name: (member_expression object: (_) @receiver property: (_) @refer.jsx))

; A lower-case tag is always an HTML element, even if something else has its name.
((jsx_closing_element name: (identifier) @refer.jsx) (#match? @refer.jsx "^[a-z]"))
