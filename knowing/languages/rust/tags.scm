; What the file takes from elsewhere
(use_declaration argument: (_) @import.tree) @import
(use_declaration (visibility_modifier) @import.exported)
(extern_crate_declaration name: (identifier) @import.module) @import
(extern_crate_declaration alias: (identifier) @import.alias)
(mod_item name: (identifier) @import.name ";") @import
(source_file (line_comment (inner_doc_comment_marker)) @doc)

; Types
(struct_item name: (type_identifier) @name) @def.struct
(struct_item body: (field_declaration_list) @body)
(union_item name: (type_identifier) @name body: (_) @body) @def.struct
(enum_item name: (type_identifier) @name body: (_) @body) @def.enum
(enum_variant name: (identifier) @name) @def.enum_member @flag.exported
(enum_variant body: (_) @type.use)
(trait_item name: (type_identifier) @name body: (_) @body) @def.trait
(trait_item bounds: (trait_bounds [(type_identifier) (scoped_type_identifier)] @base))
(trait_item bounds: (trait_bounds (generic_type type: (_) @base)))
(type_item name: (type_identifier) @name type: (_) @type) @def.type
(associated_type name: (type_identifier) @name) @def.type @flag.abstract
(ordered_field_declaration_list) @type.use
(struct_item body: (field_declaration_list
  (field_declaration name: (field_identifier) @name type: (_) @type) @def.field))
(union_item body: (field_declaration_list
  (field_declaration name: (field_identifier) @name type: (_) @type) @def.field))
(impl_item body: (_) @body) @extension
(impl_item type: [
  (type_identifier) @owner
  (primitive_type) @owner
  (scoped_type_identifier name: (type_identifier) @owner)
  (generic_type type: (type_identifier) @owner)
  (generic_type type: (scoped_type_identifier name: (type_identifier) @owner))
  (reference_type type: (type_identifier) @owner)
  (reference_type type: (generic_type type: (type_identifier) @owner))
  (dynamic_type trait: (type_identifier) @owner)])
(impl_item trait: [(type_identifier) (scoped_type_identifier)] @implements)
(impl_item trait: (generic_type type: (_) @implements))

; Functions, constants, modules, macros
(function_item name: (identifier) @name body: (_) @body) @def.function
(function_item return_type: (_) @type)
(function_modifiers "async" @flag.async)
(function_signature_item name: (identifier) @name) @def.function
(function_signature_item return_type: (_) @type)
(trait_item body: (declaration_list (function_signature_item) @flag.abstract))
(const_item name: (identifier) @name type: (_) @type (#not-eq? @name "_")) @def.constant
(static_item name: (identifier) @name type: (_) @type) @def.variable
(mod_item name: (identifier) @name body: (_) @body) @def.namespace
(macro_definition name: (identifier) @name "{" @body) @def.macro
(macro_definition name: (identifier) @name "(" @body) @def.macro

; Who may see it. What a trait declares is as public as the trait.
([(struct_item (visibility_modifier) @flag.exported)
  (enum_item (visibility_modifier) @flag.exported)
  (union_item (visibility_modifier) @flag.exported)
  (trait_item (visibility_modifier) @flag.exported)
  (type_item (visibility_modifier) @flag.exported)
  (function_item (visibility_modifier) @flag.exported)
  (const_item (visibility_modifier) @flag.exported)
  (static_item (visibility_modifier) @flag.exported)
  (field_declaration (visibility_modifier) @flag.exported)]
  (#eq? @flag.exported "pub"))
(visibility_modifier [(crate) (super) (self) (scoped_identifier)]) @flag.protected
(trait_item body: (declaration_list [(function_item) (function_signature_item)] @flag.exported))
(impl_item trait: (_) body: (declaration_list (function_item) @flag.exported))

; Attributes
(source_file (attribute_item (attribute [(identifier) (scoped_identifier)] @decorator)))
(declaration_list (attribute_item (attribute [(identifier) (scoped_identifier)] @decorator)))
(source_file (attribute_item (attribute (identifier) @_derive
  arguments: (token_tree (identifier) @decorator)) (#eq? @_derive "derive")))
(declaration_list (attribute_item (attribute (identifier) @_derive
  arguments: (token_tree (identifier) @decorator)) (#eq? @_derive "derive")))
(attribute (identifier) @ref)
(attribute arguments: (token_tree . [(string_literal) (raw_string_literal)] @string))
((attribute_item (attribute (identifier) @_cfg arguments: (token_tree) @_arguments))
  . [(attribute_item) (mod_item)]* . (mod_item body: (_)) @flag.test
  (#eq? @_cfg "cfg") (#eq? @_arguments "(test)"))

; Local names
(type_parameter name: (type_identifier) @bind.name)
(type_parameter name: (type_identifier) @name bounds: (trait_bounds . (_) @type)) @bind
(where_predicate left: (type_identifier) @name bounds: (trait_bounds . (_) @type)) @bind
(parameter pattern: (identifier) @name type: (_) @type) @bind
(closure_expression) @closure
(closure_parameters (identifier) @bind.name)
(closure_parameters (_ (identifier) @bind.name))
(let_declaration pattern: (identifier) @name) @bind
(let_declaration type: (_) @type)
(let_declaration value: [
  (call_expression) (identifier) (self) (field_expression) (struct_expression)
  (reference_expression) (scoped_identifier) (await_expression)] @value)
(let_declaration value: (try_expression . (_) @value))
(let_declaration value: (call_expression
  function: (scoped_identifier path: (identifier) @_wrapper name: (identifier) @_new)
  arguments: (arguments . [
    (call_expression arguments: (_) @args) (struct_expression) (identifier)] @value .)
  (#any-of? @_wrapper "Box" "Rc" "Arc" "Mutex" "RefCell" "RwLock" "Cell") (#eq? @_new "new")))
(let_declaration pattern: (tuple_struct_pattern . (identifier) @_some . (identifier) @name .)
  (#any-of? @_some "Some" "Ok")) @bind
(let_condition pattern: (tuple_struct_pattern . (identifier) @_some . (identifier) @name .)
  (#any-of? @_some "Some" "Ok")) @bind
(let_condition value: [
  (call_expression) (identifier) (self) (field_expression) (reference_expression)
  (await_expression)] @value)
(let_condition value: (try_expression . (_) @value))
(tuple_struct_pattern type: (_) (identifier) @bind.name)
(tuple_pattern (identifier) @bind.name)
(slice_pattern (identifier) @bind.name)
(ref_pattern (identifier) @bind.name)
(mut_pattern (identifier) @bind.name)
(reference_pattern (identifier) @bind.name)
(captured_pattern . (identifier) @bind.name)
(field_pattern name: (shorthand_field_identifier) @bind.name)
(field_pattern pattern: (identifier) @bind.name)
(match_pattern . (identifier) @bind.name)
(for_expression pattern: (identifier) @bind.name)

; Uses
(call_expression function: (identifier) @ref)
(field_expression value: [(identifier) (self)] @ref)
(field_expression field: (field_identifier) @member)
(scoped_identifier path: [(identifier) (self) (super) (crate)] @ref)
(scoped_identifier name: (identifier) @member)
(scoped_type_identifier path: [(identifier) (self) (super) (crate)] @ref)
(scoped_type_identifier name: (type_identifier) @member)
(type_identifier) @ref
(generic_function function: (identifier) @ref.call)
(generic_function function: (field_expression field: (field_identifier) @member.call))
(generic_function function: (scoped_identifier name: (identifier) @member.call))
(generic_function type_arguments: (_) @pass @type.use)
(generic_type_with_turbofish type_arguments: (_) @pass @type.use)
(scoped_identifier path: (generic_type type_arguments: (_) @pass @type.use))
(scoped_type_identifier path: (generic_type type_arguments: (_) @pass @type.use))
(trait_bounds) @type.use
(type_cast_expression type: (_) @type.use)
(arguments (identifier) @ref)
(reference_expression value: [(identifier) (self)] @ref)
(array_expression (identifier) @ref)
(tuple_expression (identifier) @ref)
(field_initializer value: (identifier) @ref)
(let_declaration value: [(identifier) (self)] @ref)
(let_condition value: (identifier) @ref)
(assignment_expression right: (identifier) @ref)
(binary_expression right: (identifier) @ref)
(return_expression (identifier) @ref)
(await_expression (identifier) @ref)
(try_expression (identifier) @ref)
(struct_expression body: (_) @fields)
(macro_invocation macro: (identifier) @ref.call)
(macro_invocation macro: (scoped_identifier name: (identifier) @member.call))
(token_tree [(identifier) (self) (super) (crate)] @token)
(token_tree (token_tree "(") @args)

; Where a call's result is used
(field_expression value: (call_expression arguments: (_) @args))
(field_expression value: (parenthesized_expression (_) @value) @cast)
(field_expression value: (index_expression "]" @pass))
(let_declaration value: (call_expression arguments: (_) @args))
(let_declaration value: (reference_expression value: (call_expression arguments: (_) @args)))
(let_condition value: (call_expression arguments: (_) @args))
(try_expression (call_expression arguments: (_) @args))
(await_expression (call_expression arguments: (_) @args))
(await_expression . (_) @value) @cast
(arguments . [(string_literal) (raw_string_literal)] @string)
(macro_invocation (token_tree . (string_literal) @string))
