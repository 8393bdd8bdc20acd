; What C and C++ have in common.

; Functions: a declaration without a body is one, too, so that headers have symbols
(function_definition) @def.function
(function_definition body: (_) @body)
(function_definition (storage_class_specifier "static") @flag.static)
(declaration declarator: (function_declarator declarator: (identifier))) @def.prototype
(declaration
  declarator: (pointer_declarator
    declarator: (function_declarator declarator: (identifier)))) @def.prototype
(declaration
  declarator: (pointer_declarator
    declarator: (pointer_declarator
      declarator: (function_declarator declarator: (identifier))))) @def.prototype
(function_definition
  type: [(type_identifier) (struct_specifier !body) (union_specifier !body) (enum_specifier !body)] @type)
; GoogleTest's macros look like functions, and their names are not those of the tests.
((function_declarator declarator: (identifier) @name)
  (#not-match? @name "^(TYPED_)?TEST(_F|_P)?$"))
(function_declarator declarator: (parenthesized_declarator (identifier) @name))
(return_statement
  [(identifier) (field_expression) (call_expression arguments: (argument_list) @args)] @result)

; Types
(struct_specifier name: (type_identifier) @name body: (_) @body) @def.struct
(union_specifier name: (type_identifier) @name body: (_) @body) @def.struct
(enum_specifier name: (type_identifier) @name body: (_) @body) @def.enum
(enumerator name: (identifier) @name) @def.enum_member
(field_declaration) @def.field
(field_declaration
  type: [(type_identifier) (struct_specifier !body) (union_specifier !body) (enum_specifier !body)] @type)
(field_declaration declarator: (field_identifier) @name)
(pointer_declarator declarator: (field_identifier) @name)
(array_declarator declarator: (field_identifier) @name)
(function_declarator declarator: (field_identifier) @name)
(type_definition type: [(type_identifier) (primitive_type) (sized_type_specifier)]) @def.type
(type_definition
  type: [(struct_specifier !body) (union_specifier !body) (enum_specifier !body)]) @def.type
(type_definition
  type: [(type_identifier) (struct_specifier !body) (union_specifier !body) (enum_specifier !body)] @type)
(type_definition
  type: [(struct_specifier !name body: (_) @body) (union_specifier !name body: (_) @body)]) @def.struct
(type_definition type: (enum_specifier !name body: (_) @body)) @def.enum
(type_definition
  type: [
    (struct_specifier name: (_) body: (_))
    (union_specifier name: (_) body: (_))
    (enum_specifier name: (_) body: (_))]
  declarator: (type_identifier) @def.alias @name)
(type_definition declarator: (type_identifier) @name)
(pointer_declarator declarator: (type_identifier) @name)
(array_declarator declarator: (type_identifier) @name)
(function_declarator declarator: (type_identifier) @name)
(parenthesized_declarator (type_identifier) @name)

; Macros
(preproc_def name: (identifier) @name value: (_)) @def.constant
(preproc_function_def name: (identifier) @name parameters: (_) value: (_)? @body) @def.macro

; Variables
(declaration declarator: (_)) @def.variable
(declaration
  (type_qualifier) @_const
  declarator: (init_declarator declarator: [(identifier) (array_declarator)])) @def.constant
(declaration (storage_class_specifier "static") @flag.static)
(declaration (storage_class_specifier "extern") @flag.abstract)
(declaration
  type: [(type_identifier) (struct_specifier !body) (union_specifier !body) (enum_specifier !body)] @type)
(declaration declarator: (identifier) @name)
(init_declarator declarator: (identifier) @name)
(pointer_declarator declarator: (identifier) @name)
(array_declarator declarator: (identifier) @name)
(init_declarator value: (initializer_list) @members)
(init_declarator
  value: [(identifier) (field_expression) (call_expression arguments: (argument_list) @args)] @value)

; Parameters
(parameter_declaration declarator: (_)) @bind
(parameter_declaration declarator: (identifier) @name)
(parameter_declaration
  type: [(type_identifier) (struct_specifier !body) (union_specifier !body) (enum_specifier !body)] @type
  declarator: (_))
(parameter_declaration type: [(type_identifier) (struct_specifier !body)] @type.use !declarator)

; Imports
(preproc_include path: [(string_literal) (system_lib_string)] @import.module) @import

; Uses
(expression/identifier) @ref
(field_expression field: (field_identifier) @member)
(field_expression argument: (call_expression arguments: (argument_list) @args))
(field_expression
  argument: (parenthesized_expression (pointer_expression argument: (identifier) @value)) @cast)
(field_expression
  argument: (parenthesized_expression (cast_expression type: (type_descriptor) @type)) @cast)
(type_identifier) @ref
(type_descriptor) @type.use
(compound_literal_expression value: (initializer_list) @fields)
(argument_list . (string_literal) @string)
