; What the file is and what it takes from elsewhere
(package_clause (package_identifier) @package)
(import_spec path: (_) @import.module) @import
(import_spec name: (package_identifier) @import.alias)
(import_spec name: (dot) @import.all)

; Types
[(type_declaration) (const_declaration) (var_declaration)] @span
(type_spec name: (type_identifier) @name type: (struct_type (_) @body)) @def.struct
(type_spec name: (type_identifier) @name type: (interface_type "{" @body)) @def.interface
(type_spec name: (type_identifier) @name type: [
  (type_identifier) (qualified_type) (generic_type) (pointer_type) (slice_type) (array_type)
  (map_type) (channel_type) (function_type) (parenthesized_type)]) @def.type
(type_alias name: (type_identifier) @name type: (_) @type) @def.type
(type_parameter_declaration name: (identifier) @bind.name)

; Members of types. An embedded type is a field of its name and lends its methods.
(type_spec type: (struct_type (field_declaration_list
  (field_declaration name: (field_identifier) @name type: (_) @type) @def.field)))
(type_spec type: (struct_type (field_declaration_list
  (field_declaration !name type: [
    (type_identifier) @name.used @base
    (qualified_type name: (type_identifier) @name.used @base)
    (generic_type type: (type_identifier) @name.used @base)
    (generic_type type: (qualified_type name: (type_identifier) @name.used @base))] @type) @def.field)))
(type_spec type: (interface_type
  (method_elem name: (field_identifier) @name) @def.method @flag.abstract))
(method_elem result: (_) @type)
(interface_type (type_elem . [(type_identifier) (qualified_type)] @base .))
(interface_type (type_elem . (generic_type type: (_) @base) .))

; Functions and methods
(function_declaration name: (identifier) @name) @def.function
(function_declaration body: (_) @body)
(function_declaration result: (_) @type)
(method_declaration name: (field_identifier) @name) @def.method
(method_declaration body: (_) @body)
(method_declaration result: (_) @type)
(method_declaration receiver: (parameter_list (parameter_declaration type: [
  (type_identifier) @owner
  (pointer_type (type_identifier) @owner)
  (generic_type type: (type_identifier) @owner)
  (pointer_type (generic_type type: (type_identifier) @owner))])))
(method_declaration receiver: (parameter_list (parameter_declaration type: [
  (generic_type type_arguments: (type_arguments (type_elem (type_identifier) @bind.name)))
  (pointer_type
    (generic_type type_arguments: (type_arguments (type_elem (type_identifier) @bind.name))))])))
(func_literal) @closure

; Constants and variables
(const_spec (identifier) @name (#not-eq? @name "_")) @def.constant
(const_spec type: (_) @type)
(var_spec name: (identifier) @name (#not-eq? @name "_")) @def.variable
(var_spec type: (_) @type)
(var_spec value: (expression_list . [
  (call_expression) (identifier) (selector_expression) (composite_literal) (unary_expression)] @value))
(var_spec value: (expression_list . [
  (type_conversion_expression type: (generic_type) @value)
  (type_assertion_expression type: (_) @type)
  (index_expression operand: (_) @value)]))

; `var _ Handler = (*Server)(nil)` says what a type implements.
(var_spec name: (identifier) @_blank type: (_) @implements
  value: (expression_list . [
    (call_expression
      function: (parenthesized_expression (unary_expression operand: (identifier) @owner)))
    (unary_expression operand: (composite_literal type: (type_identifier) @owner))
    (composite_literal type: (type_identifier) @owner)
    (call_expression function: (identifier) arguments: (argument_list (type_identifier) @owner))])
  (#eq? @_blank "_")) @extension

; Local names
(parameter_declaration name: (identifier) @name type: (_) @type) @bind
(variadic_parameter_declaration name: (identifier) @name type: (_) @type) @bind
(short_var_declaration left: (expression_list . (identifier) @name)) @bind
(short_var_declaration right: (expression_list . [
  (call_expression) (identifier) (selector_expression) (composite_literal) (unary_expression)] @value))
(short_var_declaration right: (expression_list . [
  (type_assertion_expression type: (_) @type)
  (type_conversion_expression type: (generic_type) @value)
  (index_expression operand: (_) @value)
  (slice_expression operand: (_) @value)]))
(short_var_declaration left: (expression_list (_) . (identifier) @bind.name))
(range_clause left: (expression_list . (identifier) @bind.name))
(range_clause left: (expression_list (_) . (identifier) @name) right: (_) @value) @bind
(receive_statement left: (expression_list (identifier) @bind.name))
(type_switch_statement alias: (expression_list (identifier) @name)) @bind
(type_case . "case" . type: (_) @type . ":")
(type_case type: (_) @type.use)

; Uses
(call_expression function: (identifier) @ref)
(call_expression function: (identifier) @ref.call type_arguments: (_))
(selector_expression operand: (identifier) @ref)
(selector_expression field: (field_identifier) @member)
(call_expression
  function: (selector_expression field: (field_identifier) @member.call) type_arguments: (_))
(argument_list (identifier) @ref)
(keyed_element value: (literal_element (identifier) @ref))
(literal_value (literal_element (identifier) @ref))
(composite_literal type: (map_type)
  body: (literal_value (keyed_element key: (literal_element (identifier) @ref))))
(assignment_statement right: (expression_list (identifier) @ref))
(short_var_declaration right: (expression_list (identifier) @ref))
(short_var_declaration right: (expression_list (slice_expression operand: (identifier) @ref)))
(short_var_declaration right: (expression_list (unary_expression operand: (identifier) @ref)))
(var_spec value: (expression_list (identifier) @ref))
(const_spec value: (expression_list (identifier) @ref))
(return_statement (expression_list (identifier) @ref))
(expression_case value: (expression_list (identifier) @ref))
(binary_expression right: (identifier) @ref)
(send_statement value: (identifier) @ref)
(range_clause right: (identifier) @ref)
(index_expression operand: (identifier) @ref)
(parenthesized_expression (unary_expression operand: (identifier) @ref))
(argument_list (unary_expression operand: (identifier) @ref))

; Types in use
(qualified_type package: (package_identifier) @ref name: (type_identifier) @member)
(parameter_declaration type: (type_identifier) @ref)
(variadic_parameter_declaration type: (type_identifier) @ref)
(pointer_type (type_identifier) @ref)
(slice_type element: (type_identifier) @ref)
(array_type element: (type_identifier) @ref)
(map_type value: (type_identifier) @ref)
(channel_type value: (type_identifier) @ref)
(field_declaration type: (type_identifier) @ref)
(function_declaration result: (type_identifier) @ref)
(method_declaration result: (type_identifier) @ref)
(method_elem result: (type_identifier) @ref)
(function_type result: (type_identifier) @ref)
(func_literal result: (type_identifier) @ref)
(var_spec type: (type_identifier) @ref)
(const_spec type: (type_identifier) @ref)
(composite_literal type: (type_identifier) @ref)
(generic_type type: (type_identifier) @ref)
(type_elem (type_identifier) @ref)
(type_assertion_expression type: (type_identifier) @ref)
(type_assertion_expression type: (_) @type.use)
(type_conversion_expression type: (generic_type type: (type_identifier) @ref.call))
(type_conversion_expression
  type: (generic_type type: (qualified_type name: (type_identifier) @member.call)))
(type_case type: (type_identifier) @ref)
(type_spec type: (type_identifier) @ref)
(type_alias type: (type_identifier) @ref)
(argument_list (type_identifier) @ref)
(type_arguments) @pass

; Where a literal or a call's result is used. Slices and maps stand for their elements.
(composite_literal type: [(type_identifier) (qualified_type) (generic_type)] body: (_) @fields)
(short_var_declaration right: (expression_list
  . (composite_literal type: [(slice_type) (map_type) (array_type)] body: (_) @pass)))
(var_spec value: (expression_list
  . (composite_literal type: [(slice_type) (map_type) (array_type)] body: (_) @pass)))
(selector_expression operand: (call_expression arguments: (_) @args))
(selector_expression operand: (index_expression "]" @pass))
(selector_expression operand: (parenthesized_expression (_) @value) @cast)
(selector_expression operand: (type_assertion_expression type: (_) @type) @cast)
(short_var_declaration right: (expression_list . (call_expression arguments: (_) @args)))
(var_spec value: (expression_list . (call_expression arguments: (_) @args)))
(range_clause right: (call_expression arguments: (_) @args))
(argument_list . [(interpreted_string_literal) (raw_string_literal)] @string)
(call_expression function: (selector_expression field: (field_identifier) @_function)
  arguments: (argument_list . (_) . (interpreted_string_literal) @string)
  (#any-of? @_function "CommandContext" "NewRequest" "Method" "MethodFunc"))
