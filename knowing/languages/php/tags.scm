; Definitions
(class_declaration name: (name) @name body: (_) @body) @def.class
(interface_declaration name: (name) @name body: (_) @body) @def.interface
(trait_declaration name: (name) @name body: (_) @body) @def.trait
(enum_declaration name: (name) @name body: (_) @body) @def.enum
(enum_case name: (name) @name) @def.enum_member
(anonymous_class body: (_) @def.anonymous)
(function_definition name: (name) @name body: (_) @body) @def.function
(method_declaration name: (name) @name) @def.method
(method_declaration body: (_) @body)
(const_element . (name) @name) @def.constant
((function_call_expression
  function: (name) @_define
  arguments: (arguments . (argument (string (string_content) @name)) . (argument))) @def.constant
  (#eq? @_define "define"))
(property_declaration (property_element name: (variable_name (name) @name))) @def.field
(property_declaration (property_element
  default_value: (object_creation_expression) @value))
(assignment_expression left: (variable_name (name) @name)) @def.variable
(visibility_modifier "private") @flag.private
(visibility_modifier "protected") @flag.protected
(static_modifier) @flag.static
(abstract_modifier) @flag.abstract
(const_declaration) @span
(anonymous_function) @closure
(arrow_function) @closure

; Fields that methods and constructors make
(property_promotion_parameter name: (variable_name (name) @name)) @def.attribute @bind
(property_promotion_parameter
  type: [(named_type) (optional_type) (union_type) (intersection_type)] @type)
(assignment_expression
  left: (member_access_expression
    object: (variable_name (name) @self.owner) name: (name) @name)) @def.attribute
(assignment_expression
  left: (scoped_property_access_expression
    scope: (relative_scope) @self.owner name: (variable_name (name) @name))) @def.attribute

; Types and values
(property_declaration
  type: [(named_type) (optional_type) (union_type) (intersection_type)] @type)
(method_declaration
  return_type: [(named_type) (optional_type) (union_type) (intersection_type)] @type)
(function_definition
  return_type: [(named_type) (optional_type) (union_type) (intersection_type)] @type)
(anonymous_function
  return_type: [(named_type) (optional_type) (union_type) (intersection_type)] @type)
(arrow_function
  return_type: [(named_type) (optional_type) (union_type) (intersection_type)] @type)
(simple_parameter
  type: [(named_type) (optional_type) (union_type) (intersection_type)] @type
  name: (variable_name (name) @name)) @bind
(simple_parameter type: (primitive_type) name: (variable_name (name) @bind.name))
(simple_parameter !type name: (variable_name (name) @bind.name))
(variadic_parameter type: (_) @type.use)
(variadic_parameter name: (variable_name (name) @bind.name))
(assignment_expression
  left: [(variable_name) (member_access_expression) (scoped_property_access_expression)]
  right: [(object_creation_expression) (function_call_expression) (member_call_expression)
          (nullsafe_member_call_expression) (scoped_call_expression) (member_access_expression)
          (scoped_property_access_expression) (variable_name)] @value)
(assignment_expression right: (_ arguments: (_) @args))
(assignment_expression right: (variable_name (name) @ref))
(return_statement
  [(object_creation_expression) (member_call_expression) (scoped_call_expression) (variable_name)
   (member_access_expression)] @result)
(return_statement (_ arguments: (_) @args))
(return_statement (variable_name (name) @ref))
(catch_clause type: (type_list . (named_type) @type) name: (variable_name (name) @name)) @bind
(catch_clause type: (_) @type.use)
(foreach_statement (_) (variable_name (name) @bind.name))
(foreach_statement (pair (variable_name (name) @bind.name)))
(by_ref (variable_name (name) @bind.name))
(list_literal (variable_name (name) @bind.name))
(global_declaration (variable_name (name) @bind.name))
(static_variable_declaration name: (variable_name (name) @bind.name))

; Namespaces and imports
(namespace_definition name: (namespace_name) @package)
(namespace_use_declaration) @import
(namespace_use_declaration (namespace_name) @import.prefix)
(namespace_use_clause . [(name) (qualified_name)] @import.tree)
(namespace_use_clause alias: (name) @import.alias)
(scoped_call_expression scope: (qualified_name) @import.used @ref)
(scoped_property_access_expression scope: (qualified_name) @import.used @ref)
(function_call_expression function: (qualified_name) @import.used @ref)
(object_creation_expression . (qualified_name) @import.used @ref)
(class_constant_access_expression . (qualified_name) @import.used @ref)
(named_type (qualified_name) @import.used @ref)
(base_clause (qualified_name) @import.used @ref)
(class_interface_clause (qualified_name) @import.used @ref)
(use_declaration (qualified_name) @import.used @ref)
(attribute (qualified_name) @import.used @ref)
(binary_expression right: (qualified_name) @import.used @ref)

; Uses
(function_call_expression function: (name) @ref)
(object_creation_expression . (name) @ref)
(object_creation_expression (arguments) @args)
(member_call_expression name: (name) @member)
(nullsafe_member_call_expression name: (name) @member)
(member_access_expression name: (name) @member)
(nullsafe_member_access_expression name: (name) @member)
(scoped_call_expression name: (name) @member)
(scoped_call_expression scope: [(name) (relative_scope)] @ref)
(scoped_call_expression scope: (variable_name (name) @ref))
(scoped_property_access_expression name: (variable_name (name) @member))
(scoped_property_access_expression scope: [(name) (relative_scope)] @ref)
(class_constant_access_expression . [(name) (relative_scope)] @ref)
((class_constant_access_expression (_) . (name) @member) (#not-eq? @member "class"))
((class_constant_access_expression (_) . (name) @pass) (#eq? @pass "class"))
(member_access_expression object: (variable_name (name) @ref))
(member_call_expression object: (variable_name (name) @ref))
(nullsafe_member_access_expression object: (variable_name (name) @ref))
(nullsafe_member_call_expression object: (variable_name (name) @ref))
(member_access_expression object: (_ arguments: (_) @args))
(member_call_expression object: (_ arguments: (_) @args))
(nullsafe_member_access_expression object: (_ arguments: (_) @args))
(nullsafe_member_call_expression object: (_ arguments: (_) @args))
(scoped_call_expression scope: (_ arguments: (_) @args))
(scoped_property_access_expression scope: (_ arguments: (_) @args))
(class_constant_access_expression . (_ arguments: (_) @args))
(parenthesized_expression
  (object_creation_expression . [(name) (qualified_name)] @type)) @cast
(argument !name (name) @ref)
(array_element_initializer (name) @ref)
(binary_expression (name) @ref)
(return_statement (name) @ref)
(const_element (name) (name) @ref)
(named_type (name) @ref)
(base_clause (_) @base)
(base_clause (name) @ref)
(class_interface_clause (_) @implements)
(class_interface_clause (name) @ref)
(use_declaration [(name) (qualified_name)] @base)
(use_declaration (name) @ref)
(attribute) @decorator
(attribute (name) @ref)
(attribute parameters: (_) @args)
(throw_expression (_) @throw)
(array_creation_expression
  . (array_element_initializer [(variable_name (name) @ref) (class_constant_access_expression)])
  . (array_element_initializer (string (string_content) @member.quoted)) .)
(arguments . (argument [(string) (encapsed_string)] @string))
((subscript_expression (variable_name (name) @ref) [(string) (encapsed_string)] @string.key)
  (#eq? @ref "_ENV"))

; Tests that are calls
((function_call_expression
  function: (name) @_it
  arguments: (arguments
    . (argument (string (string_content) @name))
    . (argument [(anonymous_function) (arrow_function)]))) @def.test
  (#any-of? @_it "it" "test"))
