; What only C has; the rest is in the folder that tags_from names.

(field_expression argument: (subscript_expression "]" @pass))
(parameter_list (identifier) @bind.name)
