; Functions, also those of tables
(function_declaration name: (identifier) @name) @def.function
(function_declaration
  name: (dot_index_expression table: (_) @owner field: (identifier) @name)) @def.function
(function_declaration
  name: (method_index_expression table: (_) @owner method: (identifier) @name)) @def.method
(function_declaration "local" @flag.private)
(function_declaration body: (block) @body)
(function_definition body: (block) @body)
(chunk
  (variable_declaration
    (assignment_statement
      (variable_list . (identifier) @name .)
      (expression_list . (function_definition) .))) @def.function)
(assignment_statement
  (variable_list . (dot_index_expression table: (_) @owner field: (identifier) @name) .)
  (expression_list . (function_definition) .)) @def.function

; What makes an instance says of which table
(return_statement
  (expression_list
    . (function_call name: (identifier) @_callee arguments: (arguments (_) . (identifier) @type)))
  (#eq? @_callee "setmetatable"))

; Tables are types: their functions are methods
(chunk
  (variable_declaration
    (assignment_statement
      (variable_list . (identifier) @name .)
      (expression_list . (table_constructor) .))) @def.class)
(chunk
  (variable_declaration
    (assignment_statement
      (expression_list
        . (table_constructor
          (field name: (identifier) @name value: (function_definition)) @def.method) .))))
(chunk
  (variable_declaration
    (assignment_statement
      (expression_list
        . (table_constructor
          (field
            name: (identifier) @name
            value: [(number) (string) (identifier) (true) (false)]) @def.field) .))))

; Variables and fields
(chunk
  (variable_declaration
    (assignment_statement
      (variable_list (identifier) @name)
      (expression_list . [(number) (string) (true) (false) (nil) (dot_index_expression)]))) @def.variable)
(chunk
  (variable_declaration
    (assignment_statement
      (variable_list . (identifier) @name)
      (expression_list . (function_call name: (_) @_callee) @value))) @def.variable
  (#not-eq? @_callee "require"))
(chunk
  (assignment_statement
    (variable_list . (dot_index_expression table: (identifier) @owner field: (identifier) @name))
    (expression_list . [(number) (string) (true) (false) (table_constructor)])) @def.field)
(assignment_statement
  (variable_list
    . (dot_index_expression table: (identifier) @self.owner field: (identifier) @name))
  (expression_list . (_) @value)
  (#eq? @self.owner "self")) @def.attribute

; Local names
(block
  (variable_declaration
    (assignment_statement
      (variable_list . (identifier) @name)
      (expression_list . (_) @value))) @bind)
(parameters (identifier) @bind.name)
(for_generic_clause (variable_list (identifier) @bind.name))
(for_numeric_clause name: (identifier) @bind.name)

; Imports
(variable_declaration
  (assignment_statement
    (variable_list . (identifier) @import.alias)
    (expression_list
      . (function_call
        name: (identifier) @_callee
        arguments: (arguments . (string content: (_) @import.module)))))
  (#eq? @_callee "require")) @import

; Uses
(function_call name: (identifier) @ref)
(function_call name: (identifier) @ref.call arguments: (arguments . [(string) (table_constructor)]))
(dot_index_expression table: (identifier) @ref)
(dot_index_expression field: (identifier) @member)
(method_index_expression table: (identifier) @ref)
(method_index_expression method: (identifier) @member)
(function_call arguments: (arguments) @args)
(arguments (identifier) @ref)
(expression_list value: (identifier) @ref)
(return_statement (expression_list (identifier) @ref))
(field value: (identifier) @ref)
(arguments . (string) @string)
