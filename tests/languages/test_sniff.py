from pathlib import Path

import pytest

from knowing.languages import load_languages
from knowing.model import SourceFile
from knowing.parse.pool import Extracted, ReadOptions, read_and_extract

REGISTRY = load_languages()
C_HEADERS = {
    "prototypes": b"#ifndef A_H\n#define A_H\nint f(void);\n#endif\n",
    "for both": b'#ifdef __cplusplus\nextern "C" {\n#endif\nint f(void);\n',
    "words in a comment": b"/*\n * class of things\n   using the list\n   public data\n */\n",
    "bit field": b"struct flags { unsigned public : 1; };\n",
}
CPP_HEADERS = {
    "class": b"class Shelf {\n};\n",
    "exported class": b"class SHOP_API Shelf : public Base {\n};\n",
    "forward": b"class Shelf;\nvoid f(Shelf*);\n",
    "namespace": b"namespace a::b {\nint f();\n}\n",
    "template": b"  template <typename T> T f(T);\n",
    "alias": b"using Names = int;\n",
    "struct with a base": b"struct A : public B {};\n",
}


@pytest.mark.parametrize("source", C_HEADERS.values(), ids=C_HEADERS.keys())
def test_a_header_in_c_stays_c(source: bytes) -> None:
    assert REGISTRY.for_content("include/a.h", REGISTRY["c"], source).name == "c"


@pytest.mark.parametrize("source", CPP_HEADERS.values(), ids=CPP_HEADERS.keys())
def test_a_header_that_looks_like_cpp_is_read_as_such(source: bytes) -> None:
    assert REGISTRY.for_content("include/a.h", REGISTRY["c"], source).name == "cpp"


def test_only_headers_are_looked_into() -> None:
    source = CPP_HEADERS["class"]
    assert REGISTRY.for_content("a.c", REGISTRY["c"], source).name == "c"


@pytest.mark.parametrize(
    ("source", "language"), [(b"int f(void);\n", "c"), (b"class A {};\n", "cpp")]
)
def test_a_header_on_disk_is_known_by_the_language_it_was_read_as(
    tmp_path: Path, source: bytes, language: str
) -> None:
    (tmp_path / "a.h").write_bytes(source)
    file = SourceFile(path="a.h", language="c", size=len(source), mtime_ns=0)
    options = ReadOptions(root=tmp_path, languages_dir=None, max_bytes=1000, limit_ms=5000)
    outcome = read_and_extract(file, options)
    assert isinstance(outcome, Extracted)
    assert outcome.file.language == language
