; What C++ has beside what it shares with C, which is in the folder that tags_from names.

; Namespaces and classes
(namespace_definition name: (_) @name) @def.namespace
(namespace_definition
  !name body: (declaration_list [(function_definition) (declaration) (class_specifier)] @flag.private))
(class_specifier name: (type_identifier) @name body: (_) @body) @def.class
(class_specifier name: (template_type name: (type_identifier) @name) body: (_) @body) @def.class
(class_specifier name: (qualified_identifier) @name.qualified body: (_) @body) @def.class
(struct_specifier name: (template_type name: (type_identifier) @name) body: (_) @body) @def.struct
(struct_specifier name: (qualified_identifier) @name.qualified body: (_) @body) @def.struct
(class_specifier "class" @section body: (_))
(field_declaration_list (access_specifier) @section)
(template_declaration) @span
(alias_declaration name: (type_identifier) @name type: (_) @type) @def.type
(concept_definition name: (identifier) @name) @def.interface
(base_class_clause [(type_identifier) (template_type) (qualified_identifier)] @base)
(base_class_clause (qualified_identifier scope: (namespace_identifier) @ref))
(base_class_clause (qualified_identifier name: (type_identifier) @member))
(base_class_clause (qualified_identifier name: (template_type name: (type_identifier) @member)))
(base_class_clause
  (qualified_identifier
    name: (qualified_identifier scope: (namespace_identifier) @member name: (type_identifier) @member)))

; Methods
(field_declaration
  declarator: (function_declarator
    declarator: [(field_identifier) (operator_name) (destructor_name)])) @def.prototype
(field_declaration
  declarator: (pointer_declarator
    declarator: (function_declarator declarator: [(field_identifier) (operator_name)]))) @def.prototype
(field_declaration
  declarator: (reference_declarator
    (function_declarator declarator: [(field_identifier) (operator_name)]))) @def.prototype
(declaration
  declarator: (reference_declarator
    (function_declarator declarator: [(identifier) (operator_name)]))) @def.prototype
(declaration
  declarator: (function_declarator declarator: [(destructor_name) (operator_name)])) @def.prototype
(field_declaration_list
  (declaration declarator: (function_declarator declarator: (identifier))) @def.constructor)
(field_declaration_list
  (function_definition declarator: (function_declarator declarator: (identifier))) @def.constructor)
(field_declaration_list
  (template_declaration
    (function_definition declarator: (function_declarator declarator: (identifier))) @def.constructor))
(field_declaration (storage_class_specifier "static") @flag.static)
(function_declarator declarator: [(destructor_name) (operator_name)] @name)
(function_declarator declarator: (qualified_identifier) @name.qualified)
((function_definition
  declarator: (function_declarator
    declarator: (qualified_identifier
      scope: [(namespace_identifier) @_type (template_type name: (type_identifier) @_type)]
      name: (identifier) @_name))) @def.constructor
  (#eq? @_type @_name))
((function_definition
  declarator: (function_declarator
    declarator: (qualified_identifier
      name: (qualified_identifier
        scope: [(namespace_identifier) @_type (template_type name: (type_identifier) @_type)]
        name: (identifier) @_name)))) @def.constructor
  (#eq? @_type @_name))
(function_definition
  type: [(qualified_identifier) (template_type)] @type)
(function_definition
  declarator: (function_declarator (trailing_return_type) @type))
(function_definition (default_method_clause) @flag.abstract)
(function_definition (delete_method_clause) @flag.abstract)

; Fields, variables and parameters
(field_declaration type: [(qualified_identifier) (template_type)] @type)
(declaration type: [(qualified_identifier) (template_type)] @type)
(parameter_declaration type: [(qualified_identifier) (template_type)] @type declarator: (_))
(parameter_declaration type: [(qualified_identifier) (template_type)] @type.use !declarator)
(type_definition type: [(qualified_identifier) (template_type)] @type) @def.type
(declaration declarator: (qualified_identifier) @name.qualified)
(init_declarator declarator: (qualified_identifier) @name.qualified)
(array_declarator declarator: (qualified_identifier) @name.qualified)
(reference_declarator (identifier) @name)
(reference_declarator (field_identifier) @name)
(structured_binding_declarator (identifier) @bind.name)
(optional_parameter_declaration declarator: (identifier) @name) @bind
(optional_parameter_declaration
  type: [(type_identifier) (qualified_identifier) (template_type)] @type)
(for_range_loop declarator: (identifier) @name) @bind
(for_range_loop declarator: [(reference_declarator) (pointer_declarator)]) @bind
(for_range_loop type: [(type_identifier) (qualified_identifier) (template_type)] @type)
(type_parameter_declaration (type_identifier) @bind.name)
(optional_type_parameter_declaration name: (type_identifier) @bind.name)
(lambda_expression) @closure
(init_declarator value: (new_expression) @value)
(return_statement (new_expression) @result)

; Tests: GoogleTest's macros look like functions
((function_definition
  declarator: (function_declarator
    declarator: (identifier) @_test
    parameters: (parameter_list
      . (parameter_declaration type: (type_identifier) @owner)
      . (parameter_declaration type: (type_identifier) @name) .))) @def.test
  (#any-of? @_test "TEST" "TEST_F" "TEST_P" "TYPED_TEST" "TYPED_TEST_P"))

; Catch2's and doctest's are a call before a block
((expression_statement
  (call_expression
    function: (identifier) @_test
    arguments: (argument_list . (string_literal (string_content) @title))))
  . (compound_statement) @def.test
  (#any-of? @_test "TEST_CASE" "SCENARIO" "TEST_CASE_TEMPLATE" "TEMPLATE_TEST_CASE"))
(translation_unit (compound_statement) @closure)
(declaration_list (compound_statement) @closure)

; Uses
(expression/qualified_identifier scope: (namespace_identifier) @ref)
(expression/qualified_identifier name: (identifier) @member)
(expression/qualified_identifier name: (template_function name: (identifier) @member))
(expression/qualified_identifier
  name: (qualified_identifier
    scope: [(namespace_identifier) @member (template_type name: (type_identifier) @member)]
    name: [(identifier) @member (template_function name: (identifier) @member)]))
(type_specifier/qualified_identifier scope: (namespace_identifier) @ref)
(type_specifier/qualified_identifier name: (type_identifier) @member)
(type_specifier/qualified_identifier name: (template_type name: (type_identifier) @member))
(type_specifier/qualified_identifier
  name: (qualified_identifier
    scope: [(namespace_identifier) @member (template_type name: (type_identifier) @member)]
    name: [(type_identifier) @member (template_type name: (type_identifier) @member)]))
(template_type arguments: (template_argument_list) @pass)
(template_function name: (identifier) @ref)
(template_function arguments: (template_argument_list) @pass)
(field_expression field: (template_method name: (field_identifier) @member))
(template_method arguments: (template_argument_list) @pass)
(call_expression function: [(template_function) (qualified_identifier)] arguments: (argument_list) @args)
(call_expression function: (field_expression field: (template_method)) arguments: (argument_list) @args)
(field_expression argument: (this) @ref)
(field_expression
  argument: (subscript_expression indices: (subscript_argument_list) @pass))
(field_initializer (field_identifier) @ref)
(field_initializer (template_method name: (field_identifier) @ref))
(field_initializer (template_method) (argument_list) @args)
(field_initializer (qualified_identifier name: (identifier) @ref))
(new_expression arguments: (argument_list) @args)
(new_expression type: [(type_identifier) (qualified_identifier) (template_type)] @type.use)
(compound_literal_expression type: (type_identifier) @ref)
(throw_statement (_) @throw)
(throw_statement (call_expression arguments: (argument_list) @args))
(using_declaration (qualified_identifier name: (identifier) @ref))
((call_expression
  function: [
    (template_function name: (identifier) @_cast arguments: (template_argument_list . (type_descriptor) @type))
    (qualified_identifier
      name: (template_function
        name: (identifier) @_cast arguments: (template_argument_list . (type_descriptor) @type)))]) @cast
  (#any-of? @_cast
    "make_unique" "make_shared" "static_cast" "dynamic_cast" "reinterpret_cast" "const_cast"
    "static_pointer_cast" "dynamic_pointer_cast"))
