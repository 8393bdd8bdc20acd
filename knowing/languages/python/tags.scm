; Definitions
(class_definition name: (identifier) @name body: (block) @body) @def.class
(function_definition name: (identifier) @name body: (block) @body) @def.function
(function_definition "async" @flag.async)
(decorated_definition) @span
(function_definition return_type: (type) @type)
(type_alias_statement left: (type (identifier) @name) right: (_) @value) @def.type

; Docstrings: the first statement of a body
(module . (comment)* . (string) @doc)
(block . (comment)* . (string) @doc)

; Variables, fields and the types they are given
(assignment left: (identifier) @name) @def.variable
(assignment left: (identifier) right: [(call) (identifier) (attribute) (await)] @value)
(assignment right: (call arguments: (_) @args))
(await (call arguments: (_) @args))
(assignment left: (identifier) type: (type) @type)
(assignment
  left: (attribute object: (identifier) @self.owner attribute: (identifier) @name)) @def.attribute
(assignment left: (attribute) type: (type) @type)
(assignment left: (attribute) right: [(call) (identifier) (attribute) (await)] @value)
(named_expression name: (identifier) @name value: (_) @value) @bind
(with_item value: (as_pattern (_) (as_pattern_target (identifier) @bind.name)))
(except_clause (as_pattern (identifier) @type (as_pattern_target (identifier) @name))) @bind
(for_statement left: (identifier) @bind.name)
(for_statement left: (pattern_list (identifier) @bind.name))
(assignment left: (pattern_list (identifier) @bind.name))
(for_in_clause left: (identifier) @bind.name)
(for_in_clause left: (pattern_list (identifier) @bind.name))
(parameters (identifier) @bind.name)
(parameters (default_parameter name: (identifier) @bind.name))
(parameters (list_splat_pattern (identifier) @bind.name))
(parameters (dictionary_splat_pattern (identifier) @bind.name))
(lambda_parameters (identifier) @bind.name)
(typed_parameter . (identifier) @name type: (type) @type) @bind
(typed_default_parameter name: (identifier) @name type: (type) @type) @bind

; Imports
(import_statement name: (dotted_name) @import.module) @import
(import_statement name: (aliased_import name: (dotted_name) @import.module alias: (identifier) @import.alias)) @import
(import_from_statement module_name: (_) @import.module) @import
(import_from_statement name: (dotted_name) @import.name)
(import_from_statement name: (aliased_import name: (dotted_name) @import.name alias: (identifier) @import.alias))
(wildcard_import) @import.all

; Uses
(call function: (identifier) @ref)
(attribute object: (call arguments: (_) @args))
(call function: (call arguments: (_) @args))
(decorator (call arguments: (_) @args))
(raise_statement . (call arguments: (_) @args))
(attribute object: (identifier) @ref)
(attribute attribute: (identifier) @member)
(argument_list (identifier) @ref)
(keyword_argument value: (identifier) @ref)
(assignment right: (identifier) @ref)
(return_statement (identifier) @ref)
(return_statement [(call) (identifier) (attribute)] @value)
(return_statement (call arguments: (_) @args))
(list (identifier) @ref)
(tuple (identifier) @ref)
(dictionary (pair value: (identifier) @ref))
(expression_list (identifier) @ref)
(default_parameter value: (identifier) @ref)
(comparison_operator (identifier) @ref)
(conditional_expression (identifier) @ref)
(boolean_operator (identifier) @ref)
(yield (identifier) @ref)
(subscript value: (identifier) @ref)
(type (identifier) @ref)
(type (string (string_content) @ref))
(type (_ (identifier) @ref))
(type (generic_type (identifier) @ref (type_parameter) @pass))
(type (binary_operator (identifier) @ref))
(class_definition superclasses: (argument_list [(identifier) (attribute)] @base))
(class_definition superclasses: (argument_list (subscript value: (_) @base)))
(class_definition superclasses: (argument_list (identifier) @ref))
(decorator (_) @decorator)
(decorator (identifier) @ref)
(raise_statement . (_) @throw)
(raise_statement . (identifier) @ref)
(argument_list . (string) @string)
(subscript subscript: (string) @string.key)
