; What the file is and what it takes from elsewhere
(package_declaration [(scoped_identifier) (identifier)] @package)
(import_declaration
  (scoped_identifier scope: (_) @import.module name: (identifier) @import.name) .) @import
(import_declaration "static" @import.static)
(import_declaration (_) @import.module (asterisk) @import.all) @import

; Types
(class_declaration name: (identifier) @name body: (_) @body) @def.class
(record_declaration name: (identifier) @name body: (_) @body) @def.class
(enum_declaration name: (identifier) @name body: (_) @body) @def.enum
(interface_declaration name: (identifier) @name body: (_) @body) @def.interface
(annotation_type_declaration name: (identifier) @name body: (_) @body) @def.interface
(object_creation_expression (class_body) @def.anonymous)
(enum_constant body: (class_body) @def.anonymous)
(type_parameter . (type_identifier) @name (type_bound . (_) @type)?) @bind

; Members
(method_declaration type: (_) @type name: (identifier) @name) @def.method
(method_declaration body: (_) @body)
(constructor_declaration name: (identifier) @name body: (_) @body) @def.constructor
(compact_constructor_declaration name: (identifier) @name body: (_) @body) @def.constructor
(annotation_type_element_declaration type: (_) @type name: (identifier) @name) @def.method
(field_declaration
  type: (_) @type declarator: (variable_declarator name: (identifier) @name)) @def.field
(constant_declaration
  type: (_) @type declarator: (variable_declarator name: (identifier) @name)) @def.constant
(enum_constant name: (identifier) @name) @def.enum_member
(record_declaration
  parameters: (formal_parameters
    (formal_parameter type: (_) @type name: (identifier) @name) @def.field))

; Modifiers. What an interface declares is public without saying so.
(modifiers "public" @flag.exported)
(modifiers "protected" @flag.protected)
(modifiers "private" @flag.private)
(modifiers "static" @flag.static)
(modifiers "abstract" @flag.abstract)
(interface_body (method_declaration !body) @flag.abstract @flag.exported)
(interface_body (method_declaration body: (_)) @flag.exported)
(interface_body (constant_declaration) @flag.exported)
(annotation_type_body (_) @flag.exported)
(enum_constant) @flag.exported
(modifiers [(marker_annotation) (annotation)] @decorator)
(marker_annotation name: (identifier) @ref)
(annotation name: (identifier) @ref arguments: (_) @args)

; Local names and their types
(method_declaration
  parameters: (formal_parameters
    (formal_parameter type: (_) @type name: (identifier) @name) @bind))
(constructor_declaration
  parameters: (formal_parameters
    (formal_parameter type: (_) @type name: (identifier) @name) @bind))
(lambda_expression
  parameters: (formal_parameters
    (formal_parameter type: (_) @type name: (identifier) @name) @bind))
(spread_parameter (_) @type (variable_declarator name: (identifier) @name)) @bind
(lambda_expression) @closure
(static_initializer) @closure
(class_body (block) @closure)
(lambda_expression parameters: (identifier) @bind.name)
(inferred_parameters (identifier) @bind.name)
(local_variable_declaration
  type: (_) @type declarator: (variable_declarator name: (identifier) @name)) @bind
(local_variable_declaration
  type: (type_identifier) @_type
  declarator: (variable_declarator
    value: [
      (object_creation_expression) (method_invocation arguments: (_) @args) (identifier) (field_access)] @value)
  (#eq? @_type "var"))
(enhanced_for_statement type: (_) @type name: (identifier) @name) @bind
(resource type: (_) @type name: (identifier) @name) @bind
(resource value: (_) @value)
(catch_formal_parameter (catch_type . (_) @type) name: (identifier) @name) @bind
(instanceof_expression right: (_) @type name: (identifier) @name) @bind
(type_pattern (_) @type (identifier) @name .) @bind
(record_pattern_component (_) @type (identifier) @name .) @bind
(parenthesized_expression (cast_expression type: (_) @type)) @cast
(cast_expression type: (_) @type.use)
(instanceof_expression right: (_) @type.use)
(class_literal (_) @type.use)
(type_arguments (_) @type.use)
(field_access object: (identifier) @type field: (this)) @cast

; Types in use
(superclass (_) @base)
(extends_interfaces (type_list (_) @base))
(super_interfaces (type_list (_) @implements))
(superclass (generic_type . (_) @base))
(extends_interfaces (type_list (generic_type . (_) @base)))
(super_interfaces (type_list (generic_type . (_) @implements)))
(throws (_) @throw)
(throw_statement (object_creation_expression type: (_) @throw))
(type_identifier) @ref
(scoped_type_identifier (_) . (type_identifier) @member)

; Calls and members
(method_invocation !object name: (identifier) @ref)
(method_invocation object: (_) name: (identifier) @member)
(method_invocation object: (identifier) @ref)
(method_invocation type_arguments: (_) @pass)
(method_invocation object: (method_invocation arguments: (_) @args))
(object_creation_expression arguments: (_) @fields)
(field_access object: (method_invocation arguments: (_) @args))
(object_creation_expression type: (generic_type (type_arguments) @pass))
(field_access object: (identifier) @ref)
(field_access field: (identifier) @member)
(this) @ref
(super) @ref
(object_creation_expression type: (generic_type . (type_identifier) @ref.call))
(method_reference . (identifier) @ref)
(method_reference (_) (identifier) @member .)
(method_reference . (identifier) @ref.call "new")
(argument_list . (string_literal) @string)
(annotation_argument_list . (string_literal) @string)
(annotation_argument_list . (element_value_array_initializer . (string_literal) @string))
(element_value_pair
  key: (identifier) @_key
  value: [
    (string_literal) @string
    (element_value_array_initializer . (string_literal) @string)]
  (#any-of? @_key "value" "path" "uri" "urlPatterns"))

; Names handed over, kept, returned or compared
(argument_list (identifier) @ref)
(variable_declarator value: (identifier) @ref)
(assignment_expression (identifier) @ref)
(return_statement (identifier) @ref)
(binary_expression (identifier) @ref)
(ternary_expression (identifier) @ref)
(array_initializer (identifier) @ref)
(array_access array: (identifier) @ref)
(enhanced_for_statement value: (identifier) @ref)
(parenthesized_expression (identifier) @ref)
(lambda_expression body: (identifier) @ref)
(switch_label (identifier) @ref)
(unary_expression operand: (identifier) @ref)
(cast_expression value: (identifier) @ref)
(synchronized_statement (parenthesized_expression (identifier) @ref))
(throw_statement (identifier) @ref)
(element_value_pair value: (identifier) @ref)
