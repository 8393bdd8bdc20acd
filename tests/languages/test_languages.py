"""Every language folder tests itself: its samples say what must be found in them."""

import pytest

from knowing.languages import Language, load_languages
from tests.languages import checks

REGISTRY = load_languages()


def ids(language: Language) -> str:
    return language.name


@pytest.fixture(params=REGISTRY.languages, ids=ids)
def language(request: pytest.FixtureRequest) -> Language:
    chosen: Language = request.param
    return chosen


def test_has_a_sample_that_is_read_without_a_problem(language: Language) -> None:
    checks.check_sample(language, REGISTRY)


def test_every_definition_is_found_and_claimed(language: Language) -> None:
    checks.check_definitions(language, REGISTRY)


def test_references_have_their_roles(language: Language) -> None:
    checks.check_references(language, REGISTRY)


def test_imports(language: Language) -> None:
    checks.check_imports(language, REGISTRY)


def test_arrows_lead_where_the_sample_says(language: Language) -> None:
    checks.check_arrows(language, REGISTRY)
