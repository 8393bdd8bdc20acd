; What the file is and what it takes from elsewhere
(package_header (identifier) @package)
(import_header (identifier) @import.tree .) @import
(import_header
  (identifier) @import.tree . [(line_comment) (multiline_comment)]+ .) @import
(import_header (identifier) @import.tree (import_alias (type_identifier) @import.alias)) @import
(import_header (identifier) @import.module (wildcard_import) @import.all) @import

; Types. What a companion without a name holds belongs to the class around it.
(class_declaration "class" (type_identifier) @name) @def.class
(class_declaration "interface" (type_identifier) @name) @def.interface
(class_declaration "enum" (type_identifier)) @def.enum
(class_declaration [(class_body) (enum_class_body)] @body)
(object_declaration (type_identifier) @name) @def.class
(object_declaration (class_body) @body)
(companion_object (type_identifier) @name (class_body) @body) @def.class
(object_literal "object" @name . (class_body) @body) @def.anonymous
(object_literal
  . (delegation_specifier
      [(user_type . (type_identifier) @name.used)
       (constructor_invocation (user_type . (type_identifier) @name.used))])
  (class_body) @body) @def.anonymous
(enum_entry (class_body) @def.anonymous)
(type_alias (type_identifier) @name) @def.type
(type_alias (user_type) @type)
(type_parameter (type_identifier) @name) @bind
(type_parameter [(user_type) (nullable_type)] @type)

; Members
(function_declaration (simple_identifier) @name) @def.function
(function_declaration (function_body) @body)
(function_declaration (function_value_parameters) . [(user_type) (nullable_type)] @type)
(function_body
  "=" [(simple_identifier) (navigation_expression) (call_expression (call_suffix) @args)] @result)
(secondary_constructor "constructor" @name "{"? @body) @def.constructor
(class_parameter (binding_pattern_kind) (simple_identifier) @name) @def.property
(class_parameter [(user_type) (nullable_type)] @type)
(class_body (property_declaration) @def.property)
(enum_class_body (property_declaration) @def.property)
(source_file (property_declaration) @def.variable)
(statements (property_declaration) @def.variable)
(property_declaration receiver: (_)) @def.property
(property_declaration (variable_declaration . (simple_identifier) @name))
(property_declaration (variable_declaration [(user_type) (nullable_type)] @type))
(property_declaration
  [(simple_identifier) (navigation_expression) (call_expression (call_suffix) @args)] @value)
(enum_entry (simple_identifier) @name) @def.enum_member
(function_declaration
  receiver: (receiver_type [(user_type) @owner (nullable_type (user_type) @owner)]))
(property_declaration
  receiver: (receiver_type [(user_type) @owner (nullable_type (user_type) @owner)]))

; Modifiers
(class_declaration (modifiers (visibility_modifier ["private" "internal"] @flag.private)))
(object_declaration (modifiers (visibility_modifier ["private" "internal"] @flag.private)))
(function_declaration (modifiers (visibility_modifier ["private" "internal"] @flag.private)))
(property_declaration (modifiers (visibility_modifier ["private" "internal"] @flag.private)))
(class_parameter (modifiers (visibility_modifier ["private" "internal"] @flag.private)))
(secondary_constructor (modifiers (visibility_modifier ["private" "internal"] @flag.private)))
(type_alias (modifiers (visibility_modifier ["private" "internal"] @flag.private)))
(function_declaration (modifiers (visibility_modifier "protected" @flag.protected)))
(property_declaration (modifiers (visibility_modifier "protected" @flag.protected)))
(class_declaration (modifiers (visibility_modifier "protected" @flag.protected)))
(inheritance_modifier "abstract" @flag.abstract)
(function_modifier "suspend" @flag.async)
(companion_object (class_body (function_declaration) @flag.static))
(companion_object (class_body (property_declaration) @flag.static))
(class_declaration
  "interface"
  (class_body (function_declaration (function_value_parameters) .) @flag.abstract))
(class_declaration
  "interface"
  (class_body
    (function_declaration
      (function_value_parameters) . [(user_type) (nullable_type)] .) @flag.abstract))
(modifiers (annotation [(user_type) (constructor_invocation)] @decorator))
(parameter_modifiers (annotation [(user_type) (constructor_invocation)] @decorator)) @bind
(constructor_invocation (value_arguments) @args)

; Local names and their types
(parameter . (simple_identifier) @name) @bind
(parameter [(user_type) (nullable_type)] @type)
(class_parameter . (simple_identifier) @name) @bind
(class_parameter (modifiers) . (simple_identifier) @name) @bind
(lambda_literal) @closure
(anonymous_function) @closure
(anonymous_initializer) @closure
(class_body [(getter) (setter)] @closure)
(lambda_parameters (variable_declaration . (simple_identifier) @name) @bind)
(lambda_parameters (variable_declaration [(user_type) (nullable_type)] @type))
(multi_variable_declaration (variable_declaration . (simple_identifier) @bind.name))
(for_statement (variable_declaration . (simple_identifier) @name) @bind)
(for_statement (variable_declaration [(user_type) (nullable_type)] @type))
(catch_block . (simple_identifier) @name . (user_type) @type) @bind
(when_subject (variable_declaration . (simple_identifier) @name)) @bind
(when_subject
  (variable_declaration)
  [(navigation_expression) (call_expression (call_suffix) @args)] @value)
(parenthesized_expression (as_expression (user_type) @type)) @cast
(this_expression (type_identifier) @ref @type) @cast

; Types in use
(user_type . (type_identifier) @ref)
(user_type (type_identifier) . (type_identifier) @member)
(delegation_specifier (user_type (type_identifier) @base .))
(delegation_specifier (user_type (type_identifier) @base . (type_arguments) .))
(delegation_specifier (constructor_invocation (user_type (type_identifier) @base .)))
(delegation_specifier
  (constructor_invocation (user_type (type_identifier) @base . (type_arguments) @pass .)))
(explicit_delegation (user_type (type_identifier) @base .))
(function_type) @type.use
(type_arguments) @type.use
(check_expression (user_type) @type.use)
(as_expression (user_type) @type.use)
(type_test (user_type) @type.use)
(annotation
  (constructor_invocation
    (user_type (type_identifier) @_throws)
    (value_arguments (value_argument (callable_reference (type_identifier) @throw))))
  (#eq? @_throws "Throws"))
(jump_expression "throw" (call_expression . (simple_identifier) @throw))

; Calls and members
(call_expression . (simple_identifier) @ref)
(call_expression
  . (simple_identifier) @ref.call (call_suffix . [(annotated_lambda) (type_arguments)]))
(call_expression
  . (navigation_expression (navigation_suffix (simple_identifier) @member.call))
  (call_suffix . [(annotated_lambda) (type_arguments)]))
(navigation_expression . (simple_identifier) @ref)
(navigation_suffix (simple_identifier) @member)
(navigation_expression . (call_expression (call_suffix) @args))
(postfix_expression (simple_identifier) @ref)
(postfix_expression (call_expression (call_suffix) @args))
(this_expression "this" @ref)
(super_expression "super" @ref)
(constructor_delegation_call ["this" "super"] @ref)
(callable_reference (type_identifier) @ref)
(callable_reference (type_identifier) . (simple_identifier) @member)
(callable_reference . (simple_identifier) @ref)
(infix_expression (simple_identifier) @ref)
(infix_expression . (_) . (simple_identifier) @member.call)
(value_arguments . (value_argument (string_literal) @string))
(value_arguments
  (value_argument
    (simple_identifier) @_key . (string_literal) @string)
  (#any-of? @_key "value" "path"))
(value_arguments . (value_argument (collection_literal . (string_literal) @string)))

; Names handed over, kept, returned or compared
(value_argument (simple_identifier) @ref .)
(property_declaration (simple_identifier) @ref)
(property_delegate (simple_identifier) @ref)
(assignment (simple_identifier) @ref)
(directly_assignable_expression . (simple_identifier) @ref)
(function_body (simple_identifier) @ref)
(jump_expression (simple_identifier) @ref)
(elvis_expression (simple_identifier) @ref)
(equality_expression (simple_identifier) @ref)
(comparison_expression (simple_identifier) @ref)
(additive_expression (simple_identifier) @ref)
(multiplicative_expression (simple_identifier) @ref)
(conjunction_expression (simple_identifier) @ref)
(disjunction_expression (simple_identifier) @ref)
(range_expression (simple_identifier) @ref)
(prefix_expression (simple_identifier) @ref)
(check_expression (simple_identifier) @ref)
(as_expression (simple_identifier) @ref)
(indexing_expression . (simple_identifier) @ref)
(if_expression condition: (simple_identifier) @ref)
(when_subject (simple_identifier) @ref)
(when_condition (simple_identifier) @ref)
(control_structure_body (simple_identifier) @ref)
(statements (simple_identifier) @ref)
(for_statement (simple_identifier) @ref)
(parenthesized_expression (simple_identifier) @ref)
(interpolated_identifier) @ref
(interpolated_expression (simple_identifier) @ref)
(spread_expression (simple_identifier) @ref)
