import json
from xml.etree import ElementTree

import pytest

from knowing.pack import Form, PackOptions, pack
from tests.pack.packs import candidates, check_pack, files_of, numbers_of, packed, view_of

NASTY = {
    "docs/a&b.md": "# Fences\n\n```python\nx = 1\n```\n\n````\n```\n````\n\n]]> </file> <x>\n",
    'we"ird.py': "    def odd(x):\n        return ''']]>''' + \"&lt;\\x00\" + '\\u2028'\n",
    "bell.py": "    def bell():\n        return '\x07\x0b\x0c\x1b'\n",
    "wide.py": "    def größe(ß):\n        return '日本語 🎉 \u2028 \ufffe'\n",
}
NAMES = ["md::Fences", "::odd", "::bell", "::größe"]


@pytest.mark.parametrize("form", Form)
def test_code_that_looks_like_the_form_stays_code(form: Form) -> None:
    result = packed(NASTY, NAMES, form=form)
    assert len(result.items) == 4 and result.left_out == 0
    shown = files_of(result, form)
    assert set(shown) == set(NASTY)
    assert "        return" not in "".join(shown["wide.py"])
    assert shown["docs/a&b.md"][2] == "```python"


def test_markdown_fences_are_longer_than_those_in_the_code() -> None:
    result = packed(NASTY, ["md::Fences"])
    assert "\n`````markdown\n# Fences\n" in result.text and result.text.endswith("\n`````\n")


def test_xml_is_well_formed_and_names_files_and_lines() -> None:
    root = ElementTree.fromstring(packed(NASTY, NAMES, form=Form.XML).text)
    assert root.findtext("task") == "a task"
    paths = {file.attrib["path"]: file.attrib["lines"] for file in root.iter("file")}
    assert paths['we"ird.py'] == "1-2"
    odd = next(file for file in root.iter("file") if file.attrib["path"] == 'we"ird.py')
    assert odd.text is not None and "''']]>'''" in odd.text


def test_json_is_one_object() -> None:
    value = json.loads(packed(NASTY, NAMES, form=Form.JSON).text)
    assert value["task"] == "a task" and value["left_out"] == 0
    assert {file["language"] for file in value["files"]} == {"markdown", "python"}


@pytest.mark.parametrize("form", Form)
def test_names_and_what_is_left_out_are_there_in_every_form(form: Form) -> None:
    lines = "".join(f"        call_{number}(x, y)\n" for number in range(90))
    files = {f"m{place}.py": f"    def f{place}(x, y):\n{lines}" for place in range(30)}
    view, texts = view_of(files)
    asked = candidates(numbers_of(view, *(f"::f{place}" for place in range(30))))
    options = PackOptions(budget=260, form=form, title="a <task>", notes=("index is fresh",))
    result = pack(view, asked, texts.get, options)
    check_pack(result, asked, options, texts)
    assert 0 < result.left_out < 30
    assert str(result.left_out) in result.text and "index is fresh" in result.text
