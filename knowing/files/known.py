"""Folders and files that are the same everywhere: the data behind what is skipped or flagged.

Names are compared exactly unless a comment says otherwise. Nothing here is decided twice:
to change what counts as vendored, generated or an example, change these values.
"""

import re

VERSION_CONTROL_FOLDERS = frozenset({".git", ".hg", ".svn", ".bzr", ".jj", "CVS", "_darcs"})
"""Never entered, whatever an include override says."""

CACHE_FOLDERS = frozenset(
    {
        ".angular",
        ".aws-sam",
        ".bundle",
        ".cache",
        ".dart_tool",
        ".direnv",
        ".eggs",
        ".gradle",
        ".hypothesis",
        ".idea",
        ".ipynb_checkpoints",
        ".mypy_cache",
        ".next",
        ".nox",
        ".npm",
        ".nuxt",
        ".nyc_output",
        ".output",
        ".parcel-cache",
        ".pnpm-store",
        ".pytest_cache",
        ".pytype",
        ".ruff_cache",
        ".sass-cache",
        ".serverless",
        ".svelte-kit",
        ".terraform",
        ".tox",
        ".turbo",
        ".vs",
        ".yarn",
        "__pycache__",
        "__pypackages__",
        "DerivedData",
    }
)
"""Written by tools and not worth reading; an include override has to spell the folder out."""

CACHE_MARKERS = {
    "pyvenv.cfg": "a Python environment",
    "conda-meta": "a conda environment",
    "CACHEDIR.TAG": "a cache (CACHEDIR.TAG)",
}
"""Entries that make the folder they stand in a cache, whatever its name."""

VENDORED_FOLDERS = frozenset(
    {
        "Carthage",
        "Godeps",
        "Pods",
        "_vendor",
        "bower_components",
        "jspm_packages",
        "node_modules",
        "site-packages",
        "vendor",
        "vendored",
    }
)
"""Copies of other projects' code: skipped or, when asked to, flagged."""

MAYBE_VENDORED_FOLDERS = frozenset(
    {"third_party", "third-party", "thirdparty", "3rdparty", "3rd_party", "extern", "externals"}
)
"""Often other projects' code, but also forks and build glue that only live here: flagged, read."""

FIRST_PARTY_MARKERS = frozenset({"__init__.py"})
"""Entries that make a folder called `vendor` a package of the project about vendors."""

AMBIGUOUS_VENDORED_FOLDERS = frozenset({"vendor"})
"""The vendored names for which `FIRST_PARTY_MARKERS` and JVM source roots are heeded."""

JVM_LANGUAGE_FOLDERS = frozenset({"java", "kotlin", "scala", "groovy"})
"""Below `src/<set>/<one of these>` folders are package names: `com.example.vendor` is code."""

TEST_FOLDER = re.compile(
    r"tests?|testing|specs?|__tests__|__mocks__|testdata|test[-_]?(?:data|utils?|helpers?|support"
    r"|suite|common|fixtures?|resources)|fixtures|e2e|benches|benchmarks?|.*[-_.]benchmarks?"
    r"|.*[-_.](?:tests?|specs?)|(?:unit|integration|system|acceptance|functional)[-_]?tests?"
    r"|.*[-_]test[-_](?:utils?|helpers?|support|suite|common|macro)"
)
"""Names of folders, in lower case, that hold tests and what tests need."""

EXAMPLE_FOLDERS = frozenset(
    {
        "cookbook",
        "demo",
        "demos",
        "doc",
        "docs",
        "docs_src",
        "example",
        "examples",
        "guides",
        "playground",
        "sample",
        "samples",
        "showcase",
        "snippets",
        "tutorial",
        "tutorials",
        "website",
    }
)
"""Compared in lower case."""

GENERATED_NAMES = (
    "*.pb.go",
    "*.pb.gw.go",
    "*_pb2.py",
    "*_pb2.pyi",
    "*_pb2_grpc.py",
    "*.pb.cc",
    "*.pb.h",
    "*_pb.js",
    "*_pb.d.ts",
    "*_pb.rb",
    "*_pb.ts",
    "zz_generated*",
    "*_generated.go",
    "*.generated.*",
    "*.gen.go",
    "*.gen.ts",
    "*.g.cs",
    "*.g.i.cs",
    "*.g.dart",
    "*.freezed.dart",
    "*.designer.cs",
    "*.min.js",
    "*.min.mjs",
    "*.min.css",
    "*.bundle.js",
    "*-bundle.js",
    "*.chunk.js",
    "package-lock.json",
    "npm-shrinkwrap.json",
    "yarn.lock",
    "pnpm-lock.yaml",
    "poetry.lock",
    "pipfile.lock",
    "uv.lock",
    "cargo.lock",
    "composer.lock",
    "gemfile.lock",
    "go.sum",
    "packages.lock.json",
)
"""Globs over file names in lower case."""
