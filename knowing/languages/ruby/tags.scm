; Anchors (`.`) end hopeless matches early: a block may hold a whole file, and whatever is still
; waiting for its next part is looked at again at each node inside.

; Modules and classes
(module . name: (_) @name) @def.namespace
(module name: (_) . (comment) @body)
(module body: (_) @body .)
(module body: (body_statement (call block: (do_block) @bind)))
(class . name: (_) @name) @def.class
(class . name: (_) . superclass: (superclass [(constant) (scope_resolution)] @base))
(class . name: (_) . superclass: (superclass (element_reference . object: (_) @base)))
(class name: (_) . (comment) @body)
(class superclass: (_) . (comment) @body)
(class body: (_) @body .)
((assignment
  . left: (constant) @name
  . right: (call . receiver: (constant) @_maker . method: (identifier) @_make)) @def.class
  (#any-of? @_maker "Class" "Struct" "Data" "Module") (#any-of? @_make "new" "define"))
((call
  . receiver: (constant) @_maker
  . method: (identifier)
  . arguments: (argument_list . [(constant) (scope_resolution)] @base))
  (#eq? @_maker "Class"))
((call
  . receiver: (constant) @_maker
  . method: (identifier)
  . arguments: (argument_list (simple_symbol) @name @def.field))
  (#any-of? @_maker "Struct" "Data"))

; Methods
(method . name: (_) @name) @def.function
(method name: (_) . (comment) @body)
(method parameters: (_) . (comment) @body)
(method body: (_) @body .)
(singleton_method . object: (_) . name: (_) @name) @def.function @flag.static
(singleton_method body: (_) @body .)
(singleton_class body: (body_statement (method) @flag.static)) @bind
(alias . name: [(identifier) (operator) (setter) (simple_symbol)] @name) @def.function
(alias alias: [(identifier) (simple_symbol)] @ref.quoted .)
(method
  body: (body_statement
    [(call arguments: (argument_list)? @args) (identifier) (instance_variable) (constant)] @result .) .)
(method
  body: (body_statement
    (operator_assignment . (_) . right: (call arguments: (argument_list)? @args) @result) .) .)
(singleton_method
  body: (body_statement [(call arguments: (argument_list)? @args) (identifier) (constant)] @result .) .)

; Sections
(class body: (body_statement (identifier) @section))
(module body: (body_statement (identifier) @section))
(singleton_class body: (body_statement (identifier) @section))

; Attributes and constants
(assignment . left: (instance_variable) @name) @def.attribute
(operator_assignment . left: (instance_variable) @name) @def.attribute
(class body: (body_statement (assignment . left: (class_variable) @name) @def.field))
(module body: (body_statement (assignment . left: (class_variable) @name) @def.field))
(assignment . left: (constant) @name) @def.constant
(assignment . left: (scope_resolution . scope: (_) @owner . name: (constant) @name)) @def.constant
(operator_assignment . left: (constant) @name) @def.constant
(program (assignment . left: (global_variable) @name) @def.variable)
(assignment
  . left: [(identifier) (instance_variable) (constant)]
  . right: [
    (call arguments: (argument_list)? @args)
    (identifier) (constant) (scope_resolution) (instance_variable)] @value)
(operator_assignment
  . left: [(identifier) (instance_variable)]
  . right: [(call arguments: (argument_list)? @args) (constant) (scope_resolution)] @value)

; Local names
(assignment . left: (identifier) @name) @bind
(operator_assignment . left: (identifier) @name) @bind
(left_assignment_list (identifier) @bind.name)
(left_assignment_list (rest_assignment (identifier) @bind.name))
(destructured_left_assignment (identifier) @bind.name)
(method_parameters (identifier) @bind.name)
(lambda_parameters (identifier) @bind.name)
(block_parameters (identifier) @bind.name)
(destructured_parameter (identifier) @bind.name)
(optional_parameter . name: (identifier) @bind.name)
(keyword_parameter . name: (identifier) @bind.name)
(splat_parameter name: (identifier) @bind.name)
(hash_splat_parameter name: (identifier) @bind.name)
(block_parameter name: (identifier) @bind.name)
(for . pattern: (identifier) @bind.name)
(rescue
  . exceptions: (exceptions . (_) @type)
  . variable: (exception_variable (identifier) @name)) @bind
(rescue . variable: (exception_variable (identifier) @bind.name))
(as_pattern name: (identifier) @bind.name .)
(array_pattern (identifier) @bind.name)
(keyword_pattern . key: (hash_key_symbol) @bind.name .)
((call
  . method: (identifier) @_let
  . arguments: (argument_list . (simple_symbol) @name)
  . block: (_ body: (_ [(call arguments: (argument_list)? @args) (identifier) (constant)] @value .))) @bind
  (#any-of? @_let "let" "let!" "subject" "subject!"))

; Calls that define things; see [macros] in language.toml
(call . method: (identifier) . arguments: (argument_list)) @macro
(argument_list (simple_symbol) @symbol)
(argument_list . (string) @string)
(argument_list . (simple_symbol) . (string) @string)
(argument_list . (pair . key: (string) @string))

; Uses
(_primary/identifier) @ref.call
(_primary/constant) @ref
(instance_variable) @ref
(class_variable) @ref
(call . method: [(identifier) (constant)] @ref.call)
(call . receiver: (_) . method: [(identifier) (constant)] @member.call)
(call . receiver: (self) @ref)
(call . receiver: (call arguments: (argument_list) @args))
(call . receiver: (call block: (_) @pass .))
(super) @ref.call
(_primary/scope_resolution . scope: (_) . name: (constant) @member)
(_primary/scope_resolution . name: (constant) @ref)
(rescue . exceptions: (exceptions (_) @type.use))
((pair . key: (hash_key_symbol) @_key . value: (simple_symbol) @ref.quoted)
  (#any-of? @_key "if" "unless" "with" "to"))
(element_reference . object: (constant) . (string) @string.key)
