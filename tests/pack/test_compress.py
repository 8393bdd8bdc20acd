from itertools import pairwise

from knowing.pack.compress import Body, alike, compress, shape
from knowing.pack.sheet import Marks

PYTHON = Marks(line=("#",), doc_inside=True)


def kept(text: str, *, locked: frozenset[int] = frozenset(), wanted: str = "") -> list[str]:
    """The lines that are left of a body, at ten tokens a line."""
    lines = text.strip("\n").split("\n")
    body = Body(
        first=0,
        lines=lines,
        costs=[10.0 if line.strip() else 1.0 for line in lines],
        marks=PYTHON,
        locked=locked,
        wanted=frozenset(wanted.split()),
    )
    return [lines[number] for number in compress(body)]


def test_short_bodies_are_left_alone() -> None:
    text = "\n".join(["log.info('x')"] * 12)
    assert kept(text) == ["log.info('x')"] * 12


def test_structure_stays_and_logging_goes() -> None:
    text = """
for item in items:
    logger.debug("looking at the item %s", item)
    logger.debug("and at %s", item.other)
    if item.broken:
        console.log("broken", item)
        print("broken")
        raise ValueError(item)
    try:
        item.save()
        counter += 1
        names.append(item.name)
        seen.add(item)
    except KeyError:
        return None
return seen
"""
    left = "\n".join(kept(text))
    for line in ("for item in", "if item.broken", "raise ValueError", "try:", "except", "return"):
        assert line in left
    assert "logger" not in left and "print" not in left


def test_tables_and_imports_are_collapsed() -> None:
    imports = "\n".join(f"import module_{number}" for number in range(8))
    table = "\n".join(f'    "name {number}": {number},' for number in range(20))
    left = kept(f"{imports}\nTABLE = {{\n{table}\n}}\nreturn TABLE")
    assert not [line for line in left if line.startswith("import")]
    assert 1 <= sum("name" in line for line in left) <= 2
    assert "TABLE = {" in left and "}" in left


def test_comments_that_repeat_the_code_go_and_notes_stay() -> None:
    filler = "\n".join(f"if part_{number}: return {number}" for number in range(12))
    text = f"""
# open the file by its name
# and read the file by its name
open_the_file(by_its_name)
# NOTE: the lock is held here, so nothing else may wait
take_lock()
{filler}
"""
    left = kept(text)
    assert "# NOTE: the lock is held here, so nothing else may wait" in left
    assert "# and read the file by its name" not in left


def test_locked_lines_and_words_of_the_task_stay() -> None:
    text = "\n".join(f"plain_{number} = {number}" for number in range(40))
    left = kept(text + "\nzebra = 1\n" + text, locked=frozenset({5}), wanted="zebra")
    assert "zebra = 1" in left and "plain_5 = 5" in left
    assert len(left) < 50


def test_lines_are_verbatim_and_in_order() -> None:
    text = "\n".join(f"  step({number})  # {number}" for number in range(30))
    lines, left = text.split("\n"), kept(text)
    assert left == [line for line in lines if line in set(left)] and len(left) < 30


def test_a_gap_saves_more_than_its_mark_costs() -> None:
    text = "\n".join(f"if a_{n}:\n    log.info({n})\n    return go_{n}()" for n in range(20))
    lines, left = text.split("\n"), kept(text)
    places = [lines.index(line) for line in left]
    assert all(after - before != 2 for before, after in pairwise(places))
    assert places[0] == 0 and 57 in places and len(places) < 50


def test_flat_code_loses_its_middle_and_nested_code_its_depths() -> None:
    flat = "\n".join(f"if part_{n}: return answer_{n}(request)" for n in range(40))
    left = kept(flat)
    assert left[0] == flat.split("\n")[0] and left[-1] == flat.split("\n")[-1]
    assert len(left) <= 30
    nested = "\n".join(
        f"for a_{n} in b_{n}:\n    if c_{n}:\n        return d_{n}\n        raise e_{n}"
        for n in range(12)
    )
    assert sum(line.startswith("for") for line in kept(nested)) == 12


def test_copies_are_recognised_whatever_their_literals() -> None:
    one = ["def f():", "    a = 1", "    b = 'x'", "    c(a)", "    d(b)", "    return c"]
    other = ["def f():", "  a = 2", "  b = 'y'", "  c(a)", "  d(b)", "  return c"]
    assert alike(shape(one), shape(other))
    assert not alike(shape(one), shape(["def g():", "    other()", "    x()", "    return y"]))
    assert not alike(shape(["a = 1"]), shape(["a = 1"]))
