; What JavaScript, TypeScript and TSX have in common. This folder is no language of its own: the
; three take its query by `tags_from`, so only node types that all three grammars know stand here.

; Definitions
(function_declaration name: (_) @name body: (_) @body) @def.function
(generator_function_declaration name: (_) @name body: (_) @body) @def.function
(class_declaration name: (_) @name body: (_) @body) @def.class
(method_definition
  name: [(property_identifier) (private_property_identifier) (computed_property_name)] @name
  body: (_) @body) @def.method
(method_definition name: (string (string_fragment) @name) body: (_) @body) @def.method
(method_definition ["get" "set"]) @def.property
(method_definition "static" @flag.static)
(method_definition "async" @flag.async)
(method_definition name: (private_property_identifier) @flag.private)
(function_declaration "async" @flag.async)
(arrow_function "async" @flag.async)
(function_expression "async" @flag.async)

; Functions and classes bound to names
(variable_declarator
  name: (identifier) @name
  value: [(arrow_function) (function_expression) (generator_function)]) @def.function
(variable_declarator name: (identifier) @name value: (class body: (_) @body)) @def.class
(arguments (function_expression name: (identifier) @name) @def.function)
(return_statement (function_expression name: (identifier) @name) @def.function)
(_ value: (arrow_function body: (_) @body))
(_ value: (function_expression body: (_) @body))
(_ right: (function_expression body: (_) @body))
(arguments (function_expression name: (_) body: (_) @body))
(arrow_function) @closure
(function_expression) @closure
(generator_function) @closure

; Functions in objects
(variable_declarator value: (object (pair
  key: (_) @name value: [(arrow_function) (function_expression)]) @def.method))
(assignment_expression right: (object (pair
  key: (_) @name value: [(arrow_function) (function_expression)]) @def.method))
(export_statement value: (object (pair
  key: (_) @name value: [(arrow_function) (function_expression)]) @def.method))
(return_statement (object (pair
  key: (_) @name value: [(arrow_function) (function_expression)]) @def.method))
(pair value: (object (pair
  key: (_) @name value: [(arrow_function) (function_expression)]) @def.method))
(variable_declarator value: (object) @members)
(variable_declarator value: (call_expression arguments: (arguments (object) @members)))
(export_statement value: (object) @members)
(export_statement value: (call_expression arguments: (arguments (object) @members)))

; Functions assigned to members
(assignment_expression
  left: (member_expression object: (identifier) @owner property: (property_identifier) @name)
  right: [(arrow_function) (function_expression) (generator_function)]
  (#not-match? @owner "^(exports|module)$")) @def.method
(assignment_expression
  left: (member_expression
    object: (member_expression
      object: (identifier) @owner property: (property_identifier) @_prototype)
    property: (property_identifier) @name)
  right: [(arrow_function) (function_expression) (generator_function)]
  (#eq? @_prototype "prototype")) @def.method
(assignment_expression
  left: (member_expression object: (identifier) @_exports property: (property_identifier) @name)
  right: [(arrow_function) (function_expression) (class) (call_expression) (new_expression)
          (object) (array) (string) (number)]
  (#eq? @_exports "exports")) @def.variable @flag.exported
(assignment_expression
  left: (member_expression object: (identifier) @_exports property: (property_identifier) @name)
  right: [(arrow_function) (function_expression)]
  (#eq? @_exports "exports")) @def.function
(assignment_expression
  left: (member_expression
    object: (member_expression object: (identifier) @_module property: (_) @_exports)
    property: (property_identifier) @name)
  right: [(arrow_function) (function_expression)]
  (#eq? @_module "module") (#eq? @_exports "exports")) @def.function @flag.exported

; Variables and fields
(variable_declarator name: (identifier) @name) @def.variable
(variable_declarator
  name: (identifier)
  value: [(call_expression) (new_expression) (member_expression) (identifier) (await_expression)] @value)
(variable_declarator value: (call_expression arguments: (_) @args))
(assignment_expression
  left: (member_expression
    object: (this) @self.owner
    property: [(property_identifier) (private_property_identifier)] @name)) @def.attribute
(assignment_expression
  left: (member_expression object: (this))
  right: [(call_expression) (new_expression) (member_expression) (identifier) (await_expression)] @value)
(assignment_expression right: (call_expression arguments: (_) @args))
(export_statement
  declaration: (_ (variable_declarator name: (object_pattern
    [(shorthand_property_identifier_pattern) @name (pair_pattern value: (identifier) @name)]))
    @def.variable @flag.exported))
(program (lexical_declaration . (variable_declarator) .) @span)
(program (variable_declaration . (variable_declarator) .) @span)
(program (expression_statement (assignment_expression)) @span)

; Local names
(object_pattern (shorthand_property_identifier_pattern) @bind.name)
(object_assignment_pattern left: (shorthand_property_identifier_pattern) @bind.name)
(pair_pattern value: (identifier) @bind.name)
(array_pattern (identifier) @bind.name)
(assignment_pattern left: (identifier) @bind.name)
(rest_pattern (identifier) @bind.name)
(arrow_function parameter: (identifier) @bind.name)
(catch_clause parameter: (identifier) @bind.name)
(for_in_statement left: (identifier) @bind.name)

; Exports
(export_statement) @span
(export_statement declaration: (_) @flag.exported)
(export_statement declaration: (_ (variable_declarator) @flag.exported))
(export_statement "default" declaration: (_ name: (_) @export.default))
(export_statement "default" value: (identifier) @export.default)
(export_statement "default" @name @export.default
  value: [(arrow_function) (function_expression) (generator_function)]) @def.function
(export_statement "default" @name @export.default value: (class body: (_) @body)) @def.class
(export_statement "default" @name @export.default
  value: [(object) (call_expression) (new_expression)]) @def.variable
(export_statement !source (export_clause (export_specifier name: (_) @export.name)))
(export_statement !source (export_clause (export_specifier alias: _ @export.alias)))
(export_statement source: (string) @import.module) @import @import.exported
(export_statement "*" @import.all source: (_))
(export_statement (namespace_export (_) @import.alias))
(export_statement (export_clause (export_specifier name: _ @import.name)) source: (_))
(export_statement (export_clause (export_specifier alias: _ @import.alias)) source: (_))
(assignment_expression
  left: (member_expression object: (identifier) @_module property: (_) @_exports)
  right: (identifier) @export.default
  (#eq? @_module "module") (#eq? @_exports "exports"))
(assignment_expression
  left: (member_expression object: (identifier) @_module property: (_) @_exports)
  right: [(function_expression name: (_) @name @export.default) (class name: (_) @name @export.default)]
    @def.function
  (#eq? @_module "module") (#eq? @_exports "exports"))
(assignment_expression
  left: (member_expression object: (identifier) @_module property: (_) @_exports)
  right: (class) @def.class
  (#eq? @_module "module") (#eq? @_exports "exports"))
(assignment_expression
  left: (member_expression object: (identifier) @_module property: (_) @_exports @name @export.default)
  right: [(arrow_function) (function_expression !name)]
  (#eq? @_module "module") (#eq? @_exports "exports")) @def.function
(assignment_expression
  left: (member_expression object: (identifier) @_module property: (_) @_exports)
  right: (object [(shorthand_property_identifier) @export.name
                  (pair key: (property_identifier) @export.key value: (identifier) @export.name)])
  (#eq? @_module "module") (#eq? @_exports "exports"))
(assignment_expression
  left: (member_expression object: (identifier) @_module property: (_) @_exports)
  right: (object [(method_definition) (pair)] @flag.exported)
  (#eq? @_module "module") (#eq? @_exports "exports"))
(assignment_expression
  left: (member_expression object: (identifier) @_exports property: (property_identifier) @export.key)
  right: (identifier) @export.name
  (#eq? @_exports "exports"))
(variable_declarator
  name: (identifier) @export.default
  value: (assignment_expression
    left: (member_expression object: (identifier) @_module property: (_) @_exports))
  (#eq? @_module "module") (#eq? @_exports "exports"))
(variable_declarator
  name: (identifier) @export.default
  value: (assignment_expression right: (assignment_expression
    left: (member_expression object: (identifier) @_module property: (_) @_exports)))
  (#eq? @_module "module") (#eq? @_exports "exports"))

; Imports
(import_statement source: (string) @import.module) @import
(import_clause (identifier) @import.default)
(namespace_import (identifier) @import.alias)
(import_specifier name: _ @import.name)
(import_specifier alias: (_) @import.alias)
(call_expression function: (import) arguments: (arguments . (string) @import.module)) @import
((call_expression function: (identifier) @_require arguments: (arguments . (string) @import.module .)) @import
  (#eq? @_require "require"))
(variable_declarator
  name: [(identifier) @import.alias
         (object_pattern (shorthand_property_identifier_pattern) @import.name)
         (object_pattern (pair_pattern key: (_) @import.name value: (identifier) @import.alias))]
  value: (call_expression function: (identifier) @_require arguments: (arguments . (string)))
  (#eq? @_require "require")) @import
(variable_declarator
  name: (identifier) @import.alias
  value: (member_expression
    object: (call_expression function: (identifier) @_require arguments: (arguments . (string)))
    property: (property_identifier) @import.name)
  (#eq? @_require "require")) @import
(variable_declarator
  name: [(identifier) @import.alias
         (object_pattern (shorthand_property_identifier_pattern) @import.name)
         (object_pattern (pair_pattern key: (_) @import.name value: (identifier) @import.alias))]
  value: (await_expression (call_expression function: (import)))) @import
(assignment_expression
  left: (member_expression object: (identifier) @_exports property: (_) @import.alias)
  right: (call_expression function: (identifier) @_require arguments: (arguments . (string)))
  (#eq? @_exports "exports") (#eq? @_require "require")) @import @import.exported
(assignment_expression
  left: (member_expression object: (identifier) @_module property: (_) @_exports @export.default)
  right: (call_expression function: (identifier) @_require arguments: (arguments . (string)))
  (#eq? @_module "module") (#eq? @_exports "exports") (#eq? @_require "require")) @import

; Tests that are calls
((call_expression
  function: [(identifier) @_it
             (member_expression object: (identifier) @_it)
             (call_expression function: (member_expression object: (identifier) @_it))]
  arguments: (arguments
    . [(string (string_fragment) @name) (template_string . (string_fragment) @name)]
    . [(arrow_function) (function_expression)])) @def.test
  (#any-of? @_it "it" "test" "specify"))

; Uses
(call_expression function: [(identifier) (super)] @ref)
(new_expression constructor: (identifier) @ref)
(new_expression arguments: (_) @args)
(member_expression object: [(identifier) (this) (super) (meta_property)] @ref)
(member_expression property: (_) @member)
(member_expression object: (call_expression arguments: (_) @args))
(call_expression function: (call_expression arguments: (_) @args))
(_ value: (await_expression (call_expression arguments: (_) @args)))
(_ right: (await_expression (call_expression arguments: (_) @args)))
(arguments (identifier) @ref)
(variable_declarator value: (identifier) @ref)
(assignment_expression right: (identifier) @ref)
(assignment_pattern right: (identifier) @ref)
(return_statement [(identifier) (this)] @ref)
(return_statement
  [(new_expression) (call_expression) (member_expression) (identifier) (this)] @result)
(return_statement (call_expression arguments: (_) @args))
(arrow_function body: [(new_expression) (call_expression) (member_expression)] @result)
(arrow_function body: (call_expression arguments: (_) @args))
(array (identifier) @ref)
(pair value: (identifier) @ref)
(shorthand_property_identifier) @ref
(spread_element (identifier) @ref)
(template_substitution (identifier) @ref)
(subscript_expression object: (identifier) @ref)
(binary_expression (identifier) @ref)
(ternary_expression (identifier) @ref)
(parenthesized_expression (identifier) @ref)
(unary_expression argument: (identifier) @ref)
(arrow_function body: (identifier) @ref)
(await_expression (identifier) @ref)
(yield_expression (identifier) @ref)
(for_in_statement right: (identifier) @ref)
(export_statement value: (identifier) @ref)
(throw_statement (_) @throw)
(throw_statement (identifier) @ref)
(throw_statement (call_expression arguments: (_) @args))
(decorator (identifier) @ref)
(decorator (call_expression arguments: (_) @args))
(arguments . [(string) (template_string)] @string)
(subscript_expression index: (string) @string.key)
