; Types
(abstract_class_declaration name: (_) @name body: (_) @body) @def.class @flag.abstract
(interface_declaration name: (_) @name body: (_) @body) @def.interface
(enum_declaration name: (_) @name body: (_) @body) @def.enum
(enum_body name: (property_identifier) @name @def.enum_member)
(enum_body name: (string (string_fragment) @name) @def.enum_member)
(enum_assignment name: (property_identifier) @name) @def.enum_member
(enum_assignment name: (string (string_fragment) @name)) @def.enum_member
(type_alias_declaration name: (_) @name) @def.type
(type_alias_declaration
  value: [(type_identifier) (generic_type) (nested_type_identifier)] @type)
(type_alias_declaration value: (_) @type.use)
(internal_module name: (_) @name body: (_) @body) @def.namespace
(module name: [(identifier) (nested_identifier)] @name body: (_) @body) @def.namespace
(type_parameter name: (type_identifier) @bind.name !constraint)
(type_parameter name: (type_identifier) @name constraint: (constraint (_) @value @type.use)) @bind
(type_parameter value: (_) @type.use)
(infer_type (type_identifier) @bind.name)
(mapped_type_clause name: (type_identifier) @bind.name)

; Members
(public_field_definition
  name: [(property_identifier) (private_property_identifier) (computed_property_name)] @name) @def.field
(public_field_definition name: (string (string_fragment) @name)) @def.field
(public_field_definition value: [(arrow_function) (function_expression)]) @def.method
(public_field_definition "static" @flag.static)
(public_field_definition "abstract" @flag.abstract)
(public_field_definition name: (private_property_identifier) @flag.private)
(public_field_definition
  value: [(call_expression) (new_expression) (member_expression) (identifier) (await_expression)] @value)
(public_field_definition value: (call_expression arguments: (_) @args))
(public_field_definition value: (identifier) @ref)
(interface_body (property_signature name: (_) @name) @def.field)
(interface_body (method_signature name: (_) @name) @def.method)
(type_alias_declaration value: (object_type (property_signature name: (_) @name) @def.field))
(type_alias_declaration value: (object_type (method_signature name: (_) @name) @def.method))
(type_alias_declaration
  value: (intersection_type (object_type (property_signature name: (_) @name) @def.field)))
(class_body (method_signature name: (_) @name) @def.method @flag.overload)
(abstract_method_signature name: (_) @name) @def.method @flag.abstract
(function_signature name: (_) @name) @def.function
(program (function_signature) @flag.overload)
(export_statement declaration: (function_signature) @flag.overload)
(export_statement declaration: (ambient_declaration (_) @flag.exported))
(export_statement declaration: (ambient_declaration (_ (variable_declarator) @flag.exported)))
(accessibility_modifier "private") @flag.private
(accessibility_modifier "protected") @flag.protected
(variable_declarator value: (as_expression (object) @members))
(variable_declarator value: (satisfies_expression (object) @members))
(as_expression (object (pair
  key: (_) @name value: [(arrow_function) (function_expression)]) @def.method))
(satisfies_expression (object (pair
  key: (_) @name value: [(arrow_function) (function_expression)]) @def.method))

; Types of fields, parameters, variables and results
(public_field_definition type: (type_annotation
  [(type_identifier) (generic_type) (nested_type_identifier) (union_type)] @type))
(property_signature type: (type_annotation
  [(type_identifier) (generic_type) (nested_type_identifier) (union_type)] @type))
(variable_declarator name: (identifier) type: (type_annotation
  [(type_identifier) (generic_type) (nested_type_identifier) (union_type)] @type))
(variable_declarator name: (identifier) value: (as_expression (_)
  [(type_identifier) (generic_type) (nested_type_identifier)] @type .))
(required_parameter pattern: (identifier) @name type: (type_annotation
  [(type_identifier) (generic_type) (nested_type_identifier) (union_type)] @type)) @bind
(optional_parameter pattern: (identifier) @name type: (type_annotation
  [(type_identifier) (generic_type) (nested_type_identifier) (union_type)] @type)) @bind
(required_parameter pattern: (identifier) @bind.name !type)
(optional_parameter pattern: (identifier) @bind.name !type)
(required_parameter pattern: (identifier) @bind.name type: (type_annotation
  [(predefined_type) (array_type) (function_type) (object_type) (literal_type) (tuple_type)
   (parenthesized_type) (readonly_type) (lookup_type) (type_query) (intersection_type)]))
(optional_parameter pattern: (identifier) @bind.name type: (type_annotation
  [(predefined_type) (array_type) (function_type) (object_type) (literal_type) (tuple_type)
   (parenthesized_type) (readonly_type) (lookup_type) (type_query) (intersection_type)]))
(required_parameter
  [(accessibility_modifier) "readonly"] pattern: (identifier) @name) @def.attribute @bind
(optional_parameter
  [(accessibility_modifier) "readonly"] pattern: (identifier) @name) @def.attribute @bind
(function_declaration return_type: (type_annotation
  [(type_identifier) (generic_type) (nested_type_identifier) (union_type)] @type))
(function_signature return_type: (type_annotation
  [(type_identifier) (generic_type) (nested_type_identifier) (union_type)] @type))
(method_definition return_type: (type_annotation
  [(type_identifier) (generic_type) (nested_type_identifier) (union_type)] @type))
(method_signature return_type: (type_annotation
  [(type_identifier) (generic_type) (nested_type_identifier) (union_type)] @type))
(abstract_method_signature return_type: (type_annotation
  [(type_identifier) (generic_type) (nested_type_identifier) (union_type)] @type))
(arrow_function return_type: (type_annotation
  [(type_identifier) (generic_type) (nested_type_identifier) (union_type)] @type))
(function_expression return_type: (type_annotation
  [(type_identifier) (generic_type) (nested_type_identifier) (union_type)] @type))

; Names of types
(type_identifier) @ref
(nested_type_identifier module: (identifier) @ref)
(nested_type_identifier name: (_) @member)
(nested_type_identifier module: (nested_identifier object: (identifier) @ref property: (_) @member))
(generic_type type_arguments: (_) @pass)
(call_expression type_arguments: (_) @pass @type.use)
(call_expression type_arguments: (_) arguments: (_) @args)
(call_expression "?." arguments: (_) @args)
(new_expression type_arguments: (_) @pass @type.use)
(type_annotation
  [(array_type) (function_type) (object_type) (tuple_type) (parenthesized_type) (readonly_type)
   (lookup_type) (intersection_type)] @type.use)
(required_parameter pattern: [(object_pattern) (array_pattern) (rest_pattern)] type: (_) @type.use)
(variable_declarator name: [(object_pattern) (array_pattern)] type: (_) @type.use)
(function_type return_type: (_) @type.use)
(type_predicate type: (_) @type.use)
(as_expression (_) (_) @type.use .)
(satisfies_expression (_) (_) @type.use .)
(type_query (identifier) @ref)
(class_heritage (extends_clause value: (_) @base))
(extends_clause value: (identifier) @ref)
(extends_clause value: (call_expression arguments: (_) @args))
(implements_clause (_) @implements)
(extends_type_clause type: (_) @base)

; Casts and assertions in the middle of a chain
(parenthesized_expression (as_expression (_)
  [(type_identifier) (generic_type) (nested_type_identifier)] @type .)) @cast
(as_expression (identifier) @ref)
(satisfies_expression (identifier) @ref)
(non_null_expression (identifier) @ref)

; Decorators
(class_declaration decorator: (decorator (_) @decorator))
(abstract_class_declaration decorator: (decorator (_) @decorator))
(export_statement decorator: (decorator (_) @decorator))
(class_body decorator: (decorator (_) @decorator))
(public_field_definition decorator: (decorator (_) @decorator))

; Imports
(import_statement (import_require_clause)) @import
(import_require_clause (identifier) @import.alias)
(import_require_clause source: (_) @import.module)
(export_statement "=" (identifier) @export.default)
(import_alias . (identifier) @name (_) @value .) @bind
(import_alias (identifier) (identifier) @ref)
