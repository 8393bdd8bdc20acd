; What the file is and what it takes from elsewhere
(package_clause name: (_) @package)
(import_declaration) @import @import.tree

; Types. An object beside a class of its name adds to that class.
(class_definition name: (identifier) @name) @def.class
(class_definition body: (_) @body)
(object_definition name: (identifier) @name) @def.class
(object_definition body: (_) @body)
(trait_definition name: (identifier) @name) @def.trait
(trait_definition body: (_) @body)
(enum_definition name: (identifier) @name body: (_) @body) @def.enum
(simple_enum_case name: (identifier) @name) @def.enum_member
(full_enum_case name: (identifier) @name) @def.enum_member
(type_definition name: (type_identifier) @name) @def.type
(type_definition type: (_) @type)
(instance_expression (template_body) @def.anonymous)
(type_parameters name: (identifier) @bind.name)

; Members
(function_definition name: (identifier) @name) @def.function
(function_definition name: (operator_identifier) @name) @def.function
(function_declaration name: (identifier) @name) @def.function @flag.abstract
(function_definition return_type: (_) @type)
(function_declaration return_type: (_) @type)
(function_definition body: (_) @body)
(function_definition
  !return_type
  body: [
    (identifier) (field_expression) (instance_expression)
    (call_expression arguments: (_) @args)] @result)
(val_definition pattern: (identifier) @name) @def.variable
(var_definition pattern: (identifier) @name) @def.variable
(val_declaration name: (identifier) @name type: (_) @type) @def.variable
(var_declaration name: (identifier) @name type: (_) @type) @def.variable
(val_definition pattern: (identifier) type: (_) @type)
(var_definition pattern: (identifier) type: (_) @type)
(val_definition
  pattern: (identifier)
  value: [
    (identifier) (field_expression) (instance_expression)
    (call_expression arguments: (_) @args)] @value)
(var_definition
  pattern: (identifier)
  value: [(instance_expression) (call_expression arguments: (_) @args)] @value)
(val_definition pattern: (tuple_pattern (identifier) @bind.name))
(class_parameter name: (identifier) @name type: (_) @type) @def.variable

; Modifiers
(modifiers (access_modifier "private" @flag.private))
(modifiers (access_modifier "protected" @flag.protected))
(modifiers "abstract" @flag.abstract)
(annotation) @decorator
(annotation name: (type_identifier) @ref)
(annotation arguments: (_) @args)

; Local names and their types
(parameter name: (identifier) @name type: (_) @type) @bind
(lambda_expression) @closure
(lambda_expression parameters: (identifier) @bind.name)
(binding name: (identifier) @name) @bind
(binding type: (_) @type)
(typed_pattern pattern: (identifier) @name type: (_) @type) @bind
(case_class_pattern pattern: (identifier) @bind.name)
(capture_pattern name: (identifier) @bind.name)
(tuple_pattern (identifier) @bind.name)
(enumerator . (identifier) @bind.name)
(enumerator . (tuple_pattern (identifier) @bind.name))
(generic_function
  function: (field_expression field: (identifier) @_cast)
  type_arguments: (type_arguments (_) @type)
  (#eq? @_cast "asInstanceOf")) @cast

; Types in use
(type_identifier) @ref
(stable_type_identifier . (identifier) @ref)
(stable_type_identifier (type_identifier) @member .)
(stable_identifier . (identifier) @ref)
(stable_identifier (_) . (identifier) @member)
(extends_clause (type_identifier) @base)
(extends_clause (generic_type type: (type_identifier) @base))
(extends_clause (stable_type_identifier) @base)
(extends_clause (compound_type (type_identifier) @base))
(type_arguments) @type.use
(throw_expression (instance_expression . (type_identifier) @throw))

; Calls and members
(call_expression function: (identifier) @ref)
(call_expression function: (identifier) @ref.call arguments: [(block) (case_block)])
(call_expression
  function: (field_expression field: (identifier) @member.call)
  arguments: [(block) (case_block)])
(call_expression function: (generic_function function: (identifier) @ref.call))
(call_expression
  function: (generic_function function: (field_expression field: (identifier) @member.call)))
(generic_function type_arguments: (_) @pass)
(field_expression value: (identifier) @ref)
(field_expression field: (identifier) @member)
(field_expression value: (call_expression arguments: (_) @args))
(field_expression value: (generic_function function: (identifier) @ref))
(instance_expression . (type_identifier) @ref.call)
(instance_expression . (generic_type type: (type_identifier) @ref.call (type_arguments) @pass))
(instance_expression arguments: (_) @fields)
(infix_expression left: (identifier) @ref)
(infix_expression right: (identifier) @ref)
(infix_expression operator: (identifier) @member.call)
(arguments . (string) @string)

; Names handed over, kept, returned or compared
(arguments (identifier) @ref)
(val_definition value: (identifier) @ref)
(var_definition value: (identifier) @ref)
(assignment_expression left: (identifier) @ref)
(assignment_expression right: (identifier) @ref)
(arguments (assignment_expression left: (identifier) @bind.name))
(function_definition body: (identifier) @ref)
(block (identifier) @ref .)
(return_expression (identifier) @ref)
(match_expression value: (identifier) @ref)
(case_clause body: (identifier) @ref)
(if_expression consequence: (identifier) @ref)
(if_expression alternative: (identifier) @ref)
(parenthesized_expression (identifier) @ref)
(prefix_expression (identifier) @ref)
(lambda_expression (identifier) @ref .)
(interpolation (identifier) @ref)
(throw_expression (identifier) @ref)
(enumerator (_) (identifier) @ref)
(tuple_expression (identifier) @ref)
