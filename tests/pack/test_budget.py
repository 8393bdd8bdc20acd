"""No pack exceeds its budget, whatever is packed, counted and asked for."""

import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from knowing.graph import View
from knowing.pack import Candidate, Form, PackOptions, Tokenizer, pack, tokens
from tests.pack.packs import check_pack, view_of

ROOT = Path(__file__).resolve().parents[2]


class Characters:
    """Counts characters: nothing is ever cheaper as a whole than in parts."""

    name = "characters"

    def count(self, text: str) -> int:
        return len(text)


class Jumpy:
    """Counts a whole text far higher than the sum of its parts, as no tokenizer should."""

    name = "jumpy"

    def count(self, text: str) -> int:
        return len(text.split()) + (len(text) // 50) ** 2


COUNTERS: list[Tokenizer] = [tokens.Estimate(), Characters(), Jumpy()]

lines = st.one_of(
    st.text(st.characters(exclude_characters="\r\n", exclude_categories=["Cs"]), max_size=40),
    st.sampled_from(
        ["", "x = 1", "```", "````", "]]>", "# ... 3 lines", "return None", "    ", "}", '"""']
    ),
)


@st.composite
def modules(draw: st.DrawFn) -> str:
    """Python-like source with functions, classes and anything between them."""
    parts = []
    for number in range(draw(st.integers(0, 6))):
        parts += draw(st.lists(lines, max_size=3))
        if draw(st.booleans()):
            parts.append(f"class C{number}:")
            parts.append(f"    def m{number}(self, a, b=2):")
            parts += ["        " + line for line in draw(st.lists(lines, max_size=25))]
            parts.append("        return a")
        else:
            parts.append(f"def f{number}(x):")
            parts += ["    " + line for line in draw(st.lists(lines, max_size=25))]
            parts.append("    return x")
    return draw(st.sampled_from(["\n", "\r\n"])).join([*parts, ""])


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    texts=st.lists(modules(), min_size=1, max_size=3),
    budget=st.one_of(st.sampled_from([-5, 0, 1, 10]), st.integers(0, 600)),
    form=st.sampled_from(list(Form)),
    counter=st.sampled_from(COUNTERS),
    title=st.one_of(st.just(""), st.text(max_size=80)),
    chance=st.randoms(use_true_random=False),
)
def test_random_packs(
    texts: list[str],
    budget: int,
    form: Form,
    counter: Tokenizer,
    title: str,
    chance: random.Random,
) -> None:
    view, sources = view_of({f"m{place}.py": text for place, text in enumerate(texts)})
    numbers = list(range(len(view.symbols)))
    chance.shuffle(numbers)
    asked = [
        Candidate(symbol=number, score=chance.uniform(-1, 5))
        for number in numbers[: chance.randint(0, 30)]
    ]
    options = PackOptions(
        budget=budget, form=form, tokenizer=counter, title=title, notes=("index is fresh",)
    )
    result = pack(view, asked, sources.get, options)
    assert result.used == counter.count(result.text) <= max(0, budget)
    if form is Form.MARKDOWN and title.isascii():
        check_pack(result, asked, options, sources)


@pytest.fixture(scope="module")
def project() -> tuple[View, dict[str, bytes]]:
    """This project as a workspace: real code, documentation and samples of many languages."""
    paths = [
        *sorted((ROOT / "knowing").glob("*/*.py")),
        *sorted((ROOT / "knowing/languages").glob("*/sample/**/*.*"))[:60],
        *sorted((ROOT / "docs").glob("*.md")),
    ]
    return view_of(
        {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in paths}
    )


@pytest.mark.parametrize("form", Form)
@pytest.mark.parametrize("budget", [0, 10, 60, 200, 700, 3000, 12_000, 50_000])
def test_real_code(project: tuple[View, dict[str, bytes]], budget: int, form: Form) -> None:
    view, texts = project
    chance = random.Random(budget)
    for _ in range(3):
        numbers = chance.sample(range(len(view.symbols)), 50)
        asked = [Candidate(symbol=n, score=1 / (2 + rank)) for rank, n in enumerate(numbers)]
        options = PackOptions(budget=budget, form=form, title="How are files read?")
        result = pack(view, asked, texts.get, options)
        check_pack(result, asked, options, texts)
        assert budget < 200 or result.used > 0.5 * budget or result.left_out == 0


def test_real_vocabularies_are_kept_to(project: tuple[View, dict[str, bytes]]) -> None:
    try:
        counters = [tokens.Encoding(name) for name in tokens.ENCODINGS]
    except tokens.TokenizerError:
        pytest.skip("the extra `tokens` is not installed")
    view, texts = project
    chance = random.Random(3)
    for counter in counters:
        for budget in (200, 1000, 8000):
            numbers = chance.sample(range(len(view.symbols)), 60)
            asked = [Candidate(symbol=n, score=1 / (2 + rank)) for rank, n in enumerate(numbers)]
            options = PackOptions(budget=budget, tokenizer=counter, title="How are files read?")
            check_pack(pack(view, asked, texts.get, options), asked, options, texts)
            # What the estimate packs fits by the true count, too.
            guessed = pack(view, asked, texts.get, PackOptions(budget=budget, title="the same"))
            assert counter.count(guessed.text) <= budget
