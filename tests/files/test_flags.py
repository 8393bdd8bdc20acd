"""Vendored, generated, test and example code is recognised by its path."""

import pytest

from knowing.model import SymbolFlag
from tests.files.workspace import Workspace

TESTS = {
    "python": ("test_*.py", "**/*_test.py", "**/tests/**", "conftest.py", "qa/**/check_*.py"),
    "go": ("**/*_test.go", "testdata/**"),
}


def flags(workspace: Workspace, path: str) -> SymbolFlag:
    workspace.touch(path)
    return workspace.file(path, skip_vendored=False, test_patterns=TESTS).flags


@pytest.mark.parametrize(
    ("path", "is_test"),
    [
        ("test_a.py", True),
        ("deep/er/test_a.py", True),
        ("a_test.py", True),
        ("tests/helpers.py", True),
        ("pkg/tests/deep/data.py", True),
        ("pkg/conftest.py", True),
        ("qa/a/b/check_x.py", True),
        ("qa/check_x.py", True),
        ("check_x.py", False),
        ("contest_a.py", False),
        ("tests.py", False),
        ("mytests/a.py", False),
        ("testdata/a.py", True),
        ("a_test.go", True),
        ("testdata/a.go", True),
        ("pkg/testdata/a.go", True),
        ("tests/a.go", True),
        ("crates/thing-test-support/src/lib.go", True),
        ("integration-tests/a.go", True),
        ("jmh-benchmarks/a.go", True),
        ("contest/a.go", False),
        ("latest/a.py", False),
        ("attestation/a.py", False),
        ("test_a.js", False),
    ],
)
def test_tests_by_the_patterns_of_their_language(
    workspace: Workspace, path: str, is_test: bool
) -> None:
    assert bool(flags(workspace, path) & SymbolFlag.TEST) is is_test


@pytest.mark.parametrize(
    ("path", "is_example"),
    [
        ("examples/a.py", True),
        ("pkg/Samples/deep/a.cs", True),
        ("docs_src/a.py", True),
        ("demo/a.py", True),
        ("example.py", False),
        ("src/sampler/a.py", False),
        ("app/src/main/java/com/example/demo/A.java", False),
        ("examples/src/main/java/org/A.java", True),
    ],
)
def test_examples_by_their_folder(workspace: Workspace, path: str, is_example: bool) -> None:
    assert bool(flags(workspace, path) & SymbolFlag.EXAMPLE) is is_example


@pytest.mark.parametrize(
    "path",
    [
        "vendor/a.go",
        "pkg/vendor/x/y/a.go",
        "_vendor/a.py",
        "node_modules/p/a.js",
        "lib/site-packages/a.py",
        "bower_components/a.js",
        "ios/Pods/a.js",
    ],
)
def test_vendored_code_is_skipped_or_flagged(workspace: Workspace, path: str) -> None:
    workspace.touch("a.py")
    assert flags(workspace, path) & SymbolFlag.VENDORED
    assert workspace.paths() == ["a.py"]
    ((folder, reason),) = workspace.reasons().items()
    assert path.startswith(f"{folder}/")
    assert reason.startswith("vendored")


@pytest.mark.parametrize("path", ["third_party/forked/a.go", "extern/a.py"])
def test_what_may_be_first_party_is_read_and_flagged(workspace: Workspace, path: str) -> None:
    assert flags(workspace, path) & SymbolFlag.VENDORED
    assert workspace.paths() == [path]


@pytest.mark.parametrize(
    "path",
    [
        "shop/vendor/models.py",
        "src/main/java/com/shop/vendor/Vendor.java",
        "Vendor/Invoice.cs",
        "vendor.py",
        "vendors/a.py",
    ],
)
def test_code_about_vendors_is_not_vendored(workspace: Workspace, path: str) -> None:
    workspace.touch("shop/vendor/__init__.py")
    assert not flags(workspace, path) & SymbolFlag.VENDORED
    assert path in workspace.paths()


@pytest.mark.parametrize(
    ("name", "is_generated"),
    [
        ("api.pb.go", True),
        ("api_pb2.py", True),
        ("api_pb2_grpc.py", True),
        ("zz_generated.deepcopy.go", True),
        ("client.generated.cs", True),
        ("Form1.Designer.cs", True),
        ("jquery.min.js", True),
        ("app.bundle.js", True),
        ("package-lock.json", True),
        ("pb2.py", False),
        ("generated.py", False),
        ("mini.js", False),
        ("Designer.cs", False),
    ],
)
def test_generated_code_by_its_name(workspace: Workspace, name: str, is_generated: bool) -> None:
    assert bool(flags(workspace, f"sub/{name}") & SymbolFlag.GENERATED) is is_generated
    assert workspace.paths(skip_generated=True) == ([] if is_generated else [f"sub/{name}"])
    if is_generated:
        reason = workspace.reasons(skip_generated=True)[f"sub/{name}"]
        assert reason == "generated code (by its name)"


def test_flags_add_up(workspace: Workspace) -> None:
    expected = SymbolFlag.VENDORED | SymbolFlag.EXAMPLE | SymbolFlag.TEST | SymbolFlag.GENERATED
    assert flags(workspace, "vendor/examples/tests/a_pb2.py") == expected


def test_plain_code_has_no_flags(workspace: Workspace) -> None:
    assert flags(workspace, "src/app/core.py") == SymbolFlag(0)
