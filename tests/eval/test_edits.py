import ast
from textwrap import dedent

import pytest

from eval.edits import add_function, append_statement, editable, rename_function
from eval.index import Symbol

PYTHON = dedent(
    """\
    class Order:
        def pay(self, amount):
            if amount:
                self.pay(0)

            return amount
    last = 1
    """
)

GO = dedent(
    """\
    func Pay(amount int) int {
    \tif amount > 0 {
    \t\treturn Pay(0)
    \t}
    }
    """
)


def symbol(name: str, line: int, end_line: int, kind: str = "function") -> Symbol:
    return Symbol(
        name=name,
        qualified_name=f"a::{name}",
        kind=kind,
        path="a",
        line=line,
        end_line=end_line,
    )


PAY = symbol("Order.pay", 2, 6, "method")
GO_PAY = symbol("Pay", 1, 5)


def names(text: str) -> list[str]:
    return [node.name for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)]


def test_a_statement_is_appended_to_the_body() -> None:
    edit = append_statement(PYTHON, PAY, "python")
    assert edit.text.splitlines()[6] == "        pay()"
    assert names(edit.text) == ["pay"]
    assert append_statement(GO, GO_PAY, "go").text.splitlines()[4] == "\tPay()"
    assert append_statement(GO, GO_PAY, "java").text.splitlines()[4] == "\tPay();"


def test_a_file_may_end_without_a_newline() -> None:
    text = "def f():\n    a()\n    b()"
    edit = append_statement(text, symbol("f", 1, 3), "python")
    assert edit.text == "def f():\n    a()\n    b()\n    f()\n"
    assert names(add_function(text, symbol("f", 1, 3), "python").text) == ["f", "fEdited"]


def test_a_function_is_added_behind_the_one_it_copies() -> None:
    edit = add_function(PYTHON, PAY, "python")
    assert names(edit.text) == ["pay", "payEdited"]
    assert edit.text.endswith("last = 1\n")
    assert add_function(GO, GO_PAY, "go").text.count("func Pay") == 2


def test_a_function_is_renamed_where_it_is_defined() -> None:
    edit = rename_function(PYTHON, PAY, "python")
    assert names(edit.text) == ["payEdited"]
    assert "self.pay(0)" in edit.text
    assert rename_function(GO, GO_PAY, "go").text.startswith("func PayEdited(")


@pytest.mark.parametrize("kind", ["class", "variable", "doc_section"])
def test_only_functions_of_some_length_are_edited(kind: str) -> None:
    long, short = symbol("long", 4, 9), symbol("short", 2, 3)
    first = symbol("first", 1, 3, "method")
    odd = symbol("operator+", 1, 9, "method")
    assert editable([long, short, first, odd, symbol("other", 1, 9, kind)]) == {"a": [first, long]}
