; Fields, parameters and bases, which TypeScript's grammar has under other names
(field_definition property: [(property_identifier) (private_property_identifier)] @name) @def.field
(field_definition value: [(arrow_function) (function_expression)]) @def.method
(field_definition "static" @flag.static)
(field_definition property: (private_property_identifier) @flag.private)
(field_definition
  value: [(call_expression) (new_expression) (member_expression) (identifier) (await_expression)] @value)
(field_definition value: (call_expression arguments: (_) @args))
(field_definition value: (identifier) @ref)
(formal_parameters (identifier) @bind.name)
(class_heritage [(identifier) (member_expression) (call_expression)] @base)
(class_heritage (identifier) @ref)
(class_heritage (call_expression arguments: (_) @args))
(class_declaration decorator: (decorator (_) @decorator))
(export_statement decorator: (decorator (_) @decorator))
(method_definition decorator: (decorator (_) @decorator))
(field_definition decorator: (decorator (_) @decorator))
(call_expression optional_chain: (_) arguments: (_) @args)
