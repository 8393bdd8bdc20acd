"""Equal bytes give equal facts in any process."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent

SCRIPT = """
from hashlib import blake2b
from pathlib import Path
from knowing.languages import load_languages
from knowing.parse import extract
from tests.languages.samples import sample_files
registry = load_languages(Path("tests/data/languages"))
for language in registry.languages:
    for path in sample_files(language):
        if registry.for_path(path.name) is language:
            facts = extract(path.read_bytes(), language).encode()
            print(language.name, path.name, blake2b(facts).hexdigest())
"""


def hashes(seed: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_facts_do_not_depend_on_the_seed_of_hashes() -> None:
    first = hashes("0")
    assert {"python", "markdown", "rst", "lua"} <= {line.split()[0] for line in first}
    assert hashes("1") == first
    assert hashes("12345") == first
