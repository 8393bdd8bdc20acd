import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowing.pack import TokenizerError, tokenizer, tokens

ROOT = Path(__file__).resolve().parents[2]

try:
    REAL = [tokens.Encoding(name) for name in tokens.ENCODINGS]
except TokenizerError:
    REAL = []

needs_vocabulary = pytest.mark.skipif(not REAL, reason="the extra `tokens` is not installed")

SOURCES = sorted(
    [
        *ROOT.glob("knowing/languages/*/sample/**/*.*"),
        *ROOT.glob("knowing/*/*.py"),
        *ROOT.glob("docs/*.md"),
        ROOT / "pyproject.toml",
    ]
)

OTHERS = {
    "chinese": "这个函数检查请求是否有效，如果无效则返回错误。" * 4,
    "japanese": "この関数はリクエストを検証し、エラーを返します。" * 4,
    "korean": "이 함수는 요청이 유효한지 확인하고 오류를 반환합니다. " * 4,
    "russian": "Эта функция проверяет запрос и возвращает ошибку. " * 4,
    "armenian": "Սեղմեք, կամ մեկից ավելին ընտրելու համար։ " * 4,
    "hindi": "यह फ़ंक्शन अनुरोध की जाँच करता है। " * 4,
    "emoji": "🎉🚀👩‍👩‍👧🏳️‍🌈✅❌" * 5,
    "minified": "!function(e,t){for(var n=0,r=e.length;n<r;n++)t[n]=e[n]||{};return t}(a,b);" * 5,
    "base64": "aGVsbG8gd29ybGQgZm9vYmFyIGJheiBxdXV4IGNvcmdlIGdyYXVsdCBnYXJwbHk=" * 4,
    "digest": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08" * 4,
    "tabs": "\t\t\t}\n\t\t}\n\t}\n}\n" * 10,
    "blank": " " * 300 + "x" + "\n" * 200 + "\t" * 90 + "y",
    "table": "0x1f, 0x2e, 0x3d, 0x4c, 1024, 65535, 3.14159,\n" * 10,
}


def run(code: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", code]
    return subprocess.run(command, check=False, cwd=ROOT, capture_output=True, text=True)


def pieces(text: str) -> list[str]:
    """Stretches of the size that is packed."""
    lines = text.splitlines(keepends=True)
    return ["".join(lines[start : start + 40]) for start in range(0, len(lines), 40)]


@needs_vocabulary
def test_the_estimate_is_not_below_the_truth_for_code_and_documents() -> None:
    estimate = tokenizer()
    texts = [
        piece
        for path in SOURCES
        for piece in pieces(path.read_text(encoding="utf-8", errors="replace"))
        if len(piece) > 400
    ]
    assert len(texts) > 200
    true = [max(real.count(text) for real in REAL) for text in texts]
    found = [estimate.count(text) for text in texts]
    below = [text[:60] for text, low, high in zip(texts, true, found, strict=True) if high < low]
    # One in two hundred pieces may be so full of unusual words that it is below, and just so.
    assert len(below) <= len(texts) / 200, below
    assert all(high > 0.95 * low for low, high in zip(true, found, strict=True))
    assert 1.02 < sum(found) / sum(true) < 1.17


@needs_vocabulary
@pytest.mark.parametrize("kind", OTHERS)
def test_the_estimate_is_not_below_the_truth_for_other_text(kind: str) -> None:
    assert tokenizer().count(OTHERS[kind]) >= max(real.count(OTHERS[kind]) for real in REAL)


@needs_vocabulary
def test_real_vocabularies_count_as_is_known() -> None:
    assert [real.count("hello world") for real in REAL] == [2, 2]
    assert [real.count("") for real in REAL] == [0, 0]
    # A name of a special token is plain text here: code may hold it.
    assert all(real.count("<|endoftext|>") > 1 for real in REAL)
    assert all(real.count("half \ud83d pair") > 2 for real in REAL)


@needs_vocabulary
def test_parts_cost_no_less_than_the_whole_by_a_real_vocabulary() -> None:
    text = (ROOT / "knowing/model.py").read_text()
    lines = text.splitlines(keepends=True)
    for real in REAL:
        whole = real.count(text)
        assert whole <= sum(tokens.costs(real, lines)) <= 1.1 * whole


@given(st.lists(st.text(max_size=60), max_size=20))
def test_costs_of_lines_add_up_to_the_count_of_the_text(lines: list[str]) -> None:
    texts = [line.replace("\n", " ") + "\n" for line in lines]
    estimate = tokens.Estimate()
    whole, parts = estimate.count("".join(texts)), estimate.costs(texts)
    assert len(parts) == len(texts) and all(cost > 0 for cost in parts)
    assert whole <= sum(parts) + 3


def test_every_text_costs_something_but_none_costs_nothing() -> None:
    estimate = tokenizer()
    assert estimate.count("") == 0
    assert all(estimate.count(text) >= 1 for text in ("x", "\n", " ", "\0", "\ud83d", "é", "1"))


def test_an_unknown_tokenizer_is_refused_with_the_known_ones() -> None:
    with pytest.raises(TokenizerError, match="no such tokenizer: gpt2") as error:
        tokenizer("gpt2")
    assert "estimate" in error.value.hint and "o200k_base" in error.value.hint


def test_a_missing_package_is_named_with_the_way_to_get_it() -> None:
    code = (
        "import sys; sys.modules['rs_bpe'] = sys.modules['bpe_openai'] = None\n"
        "from knowing.pack import TokenizerError, tokenizer\n"
        "try: tokenizer('o200k_base')\n"
        "except TokenizerError as error: print(error.hint)"
    )
    done = run(code)
    assert "knowing[tokens]" in done.stdout, done.stderr


def test_packing_loads_no_vocabulary_unless_asked() -> None:
    code = (
        "import sys, knowing.pack\nknowing.pack.tokenizer().count('x = 1')\n"
        "print([name for name in sys.modules if 'bpe' in name or name.startswith('urllib.req')])"
    )
    done = run(code)
    assert done.stdout.strip() == "[]", done.stderr
