; What the file is and what it takes from elsewhere
(file_scoped_namespace_declaration name: (_) @package)
(namespace_declaration name: (_) @package)
(using_directive !name [(identifier) (qualified_name)] @import.module @import.all) @import
(using_directive
  name: (identifier) @import.alias [(identifier) (qualified_name)] @import.module .) @import
(using_directive "static" @import.static)
(using_directive "global" @import.exported)

; Types
(class_declaration name: (identifier) @name) @def.class
(struct_declaration name: (identifier) @name) @def.struct
(record_declaration name: (identifier) @name) @def.class
(interface_declaration name: (identifier) @name) @def.interface
(enum_declaration name: (identifier) @name) @def.enum
(delegate_declaration type: (_) @type name: (identifier) @name) @def.type
(enum_member_declaration name: (identifier) @name) @def.enum_member
(class_declaration body: (_) @body)
(struct_declaration body: (_) @body)
(record_declaration body: (_) @body)
(interface_declaration body: (_) @body)
(enum_declaration body: (_) @body)
(type_parameter name: (identifier) @bind.name)

; Members
(method_declaration returns: (_) @type name: (identifier) @name) @def.method
(method_declaration body: (_) @body)
(constructor_declaration name: (identifier) @name body: (_) @body) @def.constructor
(local_function_statement type: (_) @type name: (identifier) @name body: (_) @body) @def.function
(property_declaration type: (_) @type name: (identifier) @name) @def.property
(property_declaration accessors: (_) @body)
(property_declaration value: (arrow_expression_clause) @body)
(indexer_declaration type: (_) @type "this" @name) @def.property
(operator_declaration type: (_) @type "operator" @name) @def.method
(conversion_operator_declaration "operator" @name type: (_) @type) @def.method
(event_declaration type: (_) @type name: (identifier) @name accessors: (_) @body) @def.property
(event_field_declaration
  (variable_declaration
    type: (_) @type (variable_declarator name: (identifier) @name))) @def.field
(field_declaration
  (variable_declaration
    type: (_) @type (variable_declarator name: (identifier) @name))) @def.field
(field_declaration (modifier "const")) @def.constant
(record_declaration
  (parameter_list (parameter type: (_) @type name: (identifier) @name) @def.property))
(method_declaration
  parameters: (parameter_list
    . (parameter
        (modifier) @_this
        type: [(identifier) @receiver (generic_name . (identifier) @receiver)]))
  (#eq? @_this "this"))

; Modifiers. What an interface declares is public without saying so.
(modifier "public" @flag.exported)
(declaration_list (_ (modifier "protected" @flag.protected)))
(modifier "static" @flag.static)
(modifier "abstract" @flag.abstract)
(modifier "async" @flag.async)
(interface_declaration body: (declaration_list (_) @flag.exported))
(interface_declaration body: (declaration_list (method_declaration !body) @flag.abstract))
(enum_member_declaration) @flag.exported
(record_declaration (parameter_list (parameter) @flag.exported))
(attribute) @decorator
(attribute name: (identifier) @ref)
(attribute (attribute_argument_list) @args)

; Local names and their types
(method_declaration
  parameters: (parameter_list
    (parameter type: (_) @type name: (identifier) @name) @bind))
(constructor_declaration
  parameters: (parameter_list
    (parameter type: (_) @type name: (identifier) @name) @bind))
(local_function_statement
  parameters: (parameter_list
    (parameter type: (_) @type name: (identifier) @name) @bind))
(lambda_expression
  parameters: (parameter_list
    (parameter type: (_) @type name: (identifier) @name) @bind))
(lambda_expression
  parameters: (parameter_list (parameter !type name: (identifier) @bind.name)))
(operator_declaration
  parameters: (parameter_list
    (parameter type: (_) @type name: (identifier) @name) @bind))
(conversion_operator_declaration
  parameters: (parameter_list
    (parameter type: (_) @type name: (identifier) @name) @bind))
(indexer_declaration
  parameters: (bracketed_parameter_list
    (parameter type: (_) @type name: (identifier) @name) @bind))
(class_declaration
  (parameter_list (parameter type: (_) @type name: (identifier) @name) @bind))
(struct_declaration
  (parameter_list (parameter type: (_) @type name: (identifier) @name) @bind))
(parameter_list type: (_) @type name: (identifier) @name) @bind
(lambda_expression) @closure
(anonymous_method_expression) @closure
(destructor_declaration) @closure
(implicit_parameter) @bind.name
(local_declaration_statement
  (variable_declaration
    type: (_) @type (variable_declarator name: (identifier) @name))) @bind
(using_statement
  (variable_declaration
    type: (_) @type (variable_declarator name: (identifier) @name))) @bind
(for_statement
  initializer: (variable_declaration
    type: (_) @type (variable_declarator name: (identifier) @name)) @bind)
(variable_declaration
  type: (implicit_type)
  (variable_declarator
    name: (_)
    [(identifier) (member_access_expression) (as_expression) (cast_expression)
     (invocation_expression arguments: (_) @args)
     (object_creation_expression)
     (await_expression (invocation_expression arguments: (_) @args))] @value .))
(object_creation_expression arguments: (_) @fields)
(object_creation_expression arguments: (_) initializer: (_) @pass)
(object_creation_expression type: (_) . initializer: (_) @fields)
(foreach_statement type: (_) @type left: (identifier) @name) @bind
(catch_declaration type: (_) @type name: (identifier) @name) @bind
(declaration_expression type: (_) @type name: (identifier) @name) @bind
(declaration_pattern type: (_) @type name: (identifier) @name) @bind
(recursive_pattern type: (_) @type name: (identifier) @name) @bind
(from_clause name: (identifier) @bind.name)
(tuple_pattern name: (identifier) @bind.name)
(parenthesized_expression (cast_expression type: (_) @type)) @cast
(parenthesized_expression (as_expression right: (_) @type)) @cast

; Types in use
(base_list [(identifier) (generic_name . (identifier) @base)] @base)
(base_list (qualified_name name: (_) @base))
(base_list (identifier) @ref)
(_ type: (identifier) @ref)
(_ returns: (identifier) @ref)
(generic_name . (identifier) @ref)
(type_argument_list (identifier) @ref)
(type_argument_list (_) @type.use)
(cast_expression type: (_) @type.use)
(typeof_expression type: (_) @type.use)
(type_parameter_constraint type: (_) @type.use)
(nullable_type (identifier) @ref)
(tuple_element type: (identifier) @ref)
(as_expression right: (identifier) @ref @type.use)
(is_expression right: (identifier) @ref @type.use)
(constant_pattern (identifier) @ref)
(explicit_interface_specifier (identifier) @ref @type.use)
(_ type: (qualified_name qualifier: (identifier) @ref name: (identifier) @member))
(base_list (qualified_name qualifier: (identifier) @ref name: (identifier) @member))
(_ returns: (qualified_name qualifier: (identifier) @ref name: (identifier) @member))
(throw_statement (object_creation_expression type: (_) @throw))
(throw_expression (object_creation_expression type: (_) @throw))

; Calls and members
(invocation_expression function: (identifier) @ref)
(invocation_expression function: (generic_name . (identifier) @ref.call (_) @pass))
(member_access_expression expression: [(identifier) (predefined_type)] @ref)
(member_access_expression expression: (generic_name (type_argument_list) @pass))
(member_access_expression name: (identifier) @member)
(member_access_expression name: (generic_name . (identifier) @member (_) @pass))
(invocation_expression
  function: (member_access_expression name: (generic_name . (identifier) @member.call)))
(member_binding_expression name: (identifier) @member)
(member_binding_expression name: (generic_name . (identifier) @member.call (_) @pass))
(conditional_access_expression condition: (identifier) @ref)
(member_access_expression expression: (invocation_expression arguments: (_) @args))
(conditional_access_expression condition: (invocation_expression arguments: (_) @args))
(object_creation_expression type: (generic_name . (identifier) @ref.call (_) @pass))
(member_access_expression ["this" "base"] @ref)
(conditional_access_expression "this" @ref)
(constructor_initializer ["this" "base"] @ref)
(argument "this" @ref)
(return_statement "this" @ref)
(argument_list . (argument (string_literal) @string))
(attribute_argument_list . (attribute_argument (string_literal) @string))

; Names handed over, kept, returned or compared
(argument (identifier) @ref .)
(variable_declarator name: (_) (identifier) @ref .)
(property_declaration value: (identifier) @ref)
(assignment_expression right: (identifier) @ref)
(expression_statement (assignment_expression left: (identifier) @ref))
(return_statement (identifier) @ref)
(arrow_expression_clause (identifier) @ref)
(binary_expression (identifier) @ref)
(conditional_expression (identifier) @ref)
(await_expression (identifier) @ref)
(lambda_expression body: (identifier) @ref)
(element_access_expression expression: (identifier) @ref)
(initializer_expression (identifier) @ref)
(interpolation (identifier) @ref)
(foreach_statement right: (identifier) @ref)
(is_pattern_expression expression: (identifier) @ref)
(switch_expression_arm (identifier) @ref .)
(switch_statement value: (identifier) @ref)
(if_statement condition: (identifier) @ref)
(prefix_unary_expression (identifier) @ref)
(postfix_unary_expression (identifier) @ref)
(parenthesized_expression (identifier) @ref)
(lock_statement (identifier) @ref)
(throw_statement (identifier) @ref)
(yield_statement (identifier) @ref)
(attribute_argument (identifier) @ref .)
