; Anchors (`.`) end hopeless matches early: a block may hold a whole file, and everything that is
; still waiting for its next part is looked at again at each node inside.

; Modules: a namespace, or a trait as soon as there is something in it to be mixed in
(module . name: (_) @name) @def.namespace
(module name: (_) . (comment) @body)
(module body: (_) @body .)
(module body: (body_statement [(method) (singleton_method) (singleton_class)])) @def.trait
((module body: (body_statement (call . method: (identifier) @_call))) @def.trait
  (#any-of? @_call
    "include" "extend" "prepend" "included" "class_methods" "attr_accessor" "attr_reader"
    "attr_writer" "mattr_accessor" "mattr_reader" "mattr_writer" "define_method" "private"
    "protected" "module_function" "delegate"))

; Classes
(class . name: (_) @name) @def.class
(class . name: (_) . superclass: (superclass [(constant) (scope_resolution)] @base))
(class . name: (_) . superclass: (superclass (element_reference . object: (_) @base)))
(class name: (_) . (comment) @body)
(class superclass: (_) . (comment) @body)
(class body: (_) @body .)
((assignment
  . left: (constant) @name
  . right: (call . receiver: (constant) @_maker . method: (identifier) @_make)) @def.struct
  (#any-of? @_maker "Struct" "Data") (#any-of? @_make "new" "define"))
((assignment
  . left: (constant) @name
  . right: (call . receiver: (constant) @_maker . method: (identifier) @_make)) @def.class
  (#eq? @_maker "Class") (#eq? @_make "new"))
((assignment
  . left: (constant) @name
  . right: (call . receiver: (constant) @_maker . method: (identifier) @_make)) @def.trait
  (#eq? @_maker "Module") (#eq? @_make "new"))
((assignment
  . left: (constant)
  . right: (call
    . receiver: (constant) @_maker
    . method: (identifier)
    . arguments: (argument_list . [(constant) (scope_resolution)] @base)))
  (#eq? @_maker "Class"))
((call
  . receiver: (constant) @_maker
  . method: (identifier) @_make
  . arguments: (argument_list (simple_symbol) @name @def.field))
  (#any-of? @_maker "Struct" "Data") (#any-of? @_make "new" "define"))
((call
  . method: (identifier) @_mix
  . arguments: (argument_list [(constant) (scope_resolution)] @implements))
  (#any-of? @_mix "include" "extend" "prepend"))

; Methods
(method . name: (_) @name) @def.function
(method name: (_) . (comment) @body)
(method parameters: (_) . (comment) @body)
(method body: (_) @body .)
(singleton_method . object: (_) . name: (_) @name) @def.function @flag.static
(singleton_method body: (_) @body .)
(singleton_class body: (body_statement (method) @flag.static))
((call
  . method: (identifier) @_define
  . arguments: (argument_list . [(simple_symbol) @name (string . (string_content) @name .)])) @def.function
  (#any-of? @_define "define_method" "define_singleton_method" "alias_method" "scope"))
((call
  . method: (identifier) @_define
  . arguments: (argument_list . (simple_symbol) . (simple_symbol) @ref.quoted))
  (#eq? @_define "alias_method"))
(alias . name: [(identifier) (operator) (setter) (simple_symbol)] @name) @def.function
(alias alias: [(identifier) (simple_symbol)] @ref.quoted .)
((class body: (body_statement (identifier) @_section (method) @flag.private))
  (#eq? @_section "private"))
((module body: (body_statement (identifier) @_section (method) @flag.private))
  (#eq? @_section "private"))
((singleton_class body: (body_statement (identifier) @_section (method) @flag.private))
  (#eq? @_section "private"))
((class body: (body_statement (identifier) @_section (method) @flag.protected))
  (#eq? @_section "protected"))
((call . method: (identifier) @_section . arguments: (argument_list . (method) @flag.private))
  (#eq? @_section "private"))
((call
  . method: (identifier) @_section
  . arguments: (argument_list . (singleton_method) @flag.private))
  (#eq? @_section "private_class_method"))
((call . method: (identifier) @_section . arguments: (argument_list . (method) @flag.protected))
  (#eq? @_section "protected"))
(method body: (body_statement [(call) (identifier) (instance_variable) (constant)] @result .) .)
(method body: (body_statement (call arguments: (argument_list) @args) .) .)
(method body: (body_statement (operator_assignment . (_) . right: (call) @result) .) .)
(singleton_method body: (body_statement [(call) (identifier) (constant)] @result .) .)
(singleton_method body: (body_statement (call arguments: (argument_list) @args) .) .)
(singleton_method body: (body_statement (operator_assignment . (_) . right: (call) @result) .) .)

; Attributes and constants
((call
  . method: (identifier) @_attribute
  . arguments: (argument_list (simple_symbol) @name)) @def.field
  (#any-of? @_attribute
    "attr" "attr_accessor" "attr_reader" "attr_writer" "cattr_accessor" "cattr_reader"
    "cattr_writer" "mattr_accessor" "mattr_reader" "mattr_writer" "class_attribute"
    "thread_mattr_accessor" "thread_cattr_accessor" "config_accessor" "delegate"))
((call
  . method: (identifier) @_attribute
  . arguments: (argument_list . (simple_symbol) @name)) @def.field
  (#any-of? @_attribute
    "belongs_to" "has_many" "has_one" "has_and_belongs_to_many" "has_one_attached"
    "has_many_attached" "has_rich_text" "attribute"))
(assignment . left: (instance_variable) @name) @def.attribute
(assignment
  . left: (instance_variable)
  . right: [(call) (identifier) (constant) (scope_resolution) (instance_variable)] @value)
(operator_assignment . left: (instance_variable) @name) @def.attribute
(operator_assignment
  . left: (instance_variable) . right: [(call) (constant) (scope_resolution)] @value)
(class body: (body_statement (assignment . left: (class_variable) @name) @def.field))
(module body: (body_statement (assignment . left: (class_variable) @name) @def.field))
(assignment . left: (constant) @name) @def.constant
(assignment . left: (constant) . right: [(call) (constant) (scope_resolution)] @value)
(assignment . left: (scope_resolution scope: (_) @owner name: (constant) @name)) @def.constant
(operator_assignment . left: (constant) @name) @def.constant
(program (assignment . left: (global_variable) @name) @def.variable)

; Local names
(assignment . left: (identifier) @name) @bind
(assignment
  . left: (identifier)
  . right: [(call) (identifier) (constant) (scope_resolution) (instance_variable)] @value)
(operator_assignment . left: (identifier) @name . "||=" . right: (_) @value) @bind
(assignment right: (call arguments: (argument_list) @args) .)
(operator_assignment right: (call arguments: (argument_list) @args) .)
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
  . block: (_ body: (_ (_) @value .))) @bind
  (#any-of? @_let "let" "let!" "subject" "subject!"))
((call
  . method: (identifier) @_let
  . arguments: (argument_list . (simple_symbol))
  . block: (_ body: (_ (call arguments: (argument_list) @args) .)))
  (#any-of? @_let "let" "let!" "subject" "subject!"))

; Tests
((call
  . method: (identifier) @_test
  . arguments: (argument_list . (string . (string_content) @name))
  . block: (_) @body) @def.test
  (#any-of? @_test "it" "test" "specify" "scenario" "example" "its"))

; Imports
((call
  . method: (identifier) @_import
  . arguments: (argument_list . (string . (string_content) @import.module .))) @import
  (#any-of? @_import "require" "require_relative" "load" "require_dependency"))
((call
  . method: (identifier) @_import
  . arguments: (argument_list . (_) . (string . (string_content) @import.module .))) @import
  (#eq? @_import "autoload"))

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
(rescue . exceptions: (exceptions (_) @type))
((call
  . method: (identifier) @_raise
  . arguments: (argument_list . [(constant) (scope_resolution)] @throw))
  (#any-of? @_raise "raise" "fail"))
((call
  . method: (identifier) @_raise
  . arguments: (argument_list . (call . receiver: (_) @throw . method: (identifier) @_new)))
  (#any-of? @_raise "raise" "fail") (#eq? @_new "new"))
((call
  . method: (identifier) @_by_name
  . arguments: (argument_list (simple_symbol) @ref.quoted))
  (#match? @_by_name "^((before|after|around|skip|prepend|append)_.*|validate|helper_method|rescue_from|set_callback|skip_callback|method|instance_method|public_method|memoize)$"))
((pair . key: (hash_key_symbol) @_key . value: (simple_symbol) @ref.quoted)
  (#any-of? @_key "if" "unless" "with" "to"))

; Ties to the outside
(argument_list . (string) @string)
(element_reference . object: (constant) . (string) @string.key)
