"""From a path to UTF-8, whatever is on the disk."""

import hashlib
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowing.files import SourceText, read, text_of
from knowing.model import Skipped, SymbolFlag
from tests.files.workspace import Workspace

LIMIT = 1 << 20
SOURCE = "# caf\u00e9 \u2014 na\u00efve\ndef f():\n    return 'x'\n"


def text(raw: bytes) -> SourceText:
    seen = text_of("a.py", raw)
    assert isinstance(seen, SourceText)
    return seen


def reason(raw: bytes) -> str:
    seen = text_of("a.py", raw)
    assert isinstance(seen, Skipped)
    return seen.reason


@pytest.mark.parametrize(
    ("codec", "mark", "encoding"),
    [
        ("utf-8", b"", "utf-8"),
        ("utf-8", b"\xef\xbb\xbf", "utf-8-sig"),
        ("utf-16-le", b"\xff\xfe", "utf-16-le"),
        ("utf-16-be", b"\xfe\xff", "utf-16-be"),
        ("utf-32-le", b"\xff\xfe\0\0", "utf-32-le"),
        ("utf-32-be", b"\0\0\xfe\xff", "utf-32-be"),
        ("utf-16-le", b"", "utf-16-le"),
        ("utf-16-be", b"", "utf-16-be"),
        ("cp1252", b"", "cp1252"),
    ],
)
def test_text_in_many_encodings(codec: str, mark: bytes, encoding: str) -> None:
    seen = text(mark + SOURCE.encode(codec))
    assert (seen.data.decode(), seen.encoding) == (SOURCE, encoding)


def test_chinese_in_unmarked_utf16() -> None:
    source = "名 = '值'\n# 说明说明\n" * 20
    assert text(source.encode("utf-16-le")).data.decode() == source


def test_western_text_with_bytes_that_windows_leaves_out() -> None:
    seen = text(b"# caf\xe9 \x81\n")
    assert (seen.data.decode(), seen.encoding) == ("# caf\u00e9 \x81\n", "latin-1")


@pytest.mark.parametrize(
    ("head", "codec"),
    [
        ("# -*- coding: koi8-r -*-\n", "koi8-r"),
        ("#!/usr/bin/ruby\n# encoding: Windows-1251\n", "cp1251"),
        ("#! x\n# vim: set fileencoding=shift_jis :\n", "shift_jis"),
    ],
)
def test_a_declared_encoding_is_honoured(head: str, codec: str) -> None:
    body = "s = '日本語'\n" if codec == "shift_jis" else "s = 'привет'\n"
    seen = text((head + body).encode(codec))
    assert (seen.data.decode(), seen.encoding) == (head + body, codec)


@pytest.mark.parametrize(
    "cookie",
    ["nonsense", "utf-8", "ascii", "idna", "punycode", "unicode_escape", "rot13", "zlib", "utf-7"],
)
def test_a_declaration_of_no_use_is_not_believed(cookie: str) -> None:
    raw = f"# coding: {cookie}\n".encode() + b"x = '\xe9'\n"
    assert text(raw).data.decode() == f"# coding: {cookie}\nx = '\u00e9'\n"


def test_a_cookie_after_the_second_line_does_not_count() -> None:
    assert text(b"\n\n# coding: koi8-r\n# \xe9\n").encoding == "cp1252"


def test_valid_utf8_is_utf8_whatever_it_declares() -> None:
    raw = "# coding: latin-1\n# caf\u00e9\n".encode()
    assert text(raw).data == raw


def test_utf8_with_one_broken_byte_stays_utf8() -> None:
    seen = text("# h\u00e9l\u00e8ne\n".encode() + b"x = '\xff'\n")
    assert seen.data.decode() == "# h\u00e9l\u00e8ne\nx = '\ufffd'\n"
    assert seen.encoding == "utf-8 (damaged)"


@pytest.mark.parametrize(
    "raw",
    [b"\xff\xfea\0b", b"\xff\xfe\0\xd8a\0", b"\xef\xbb\xbfa\xff", b"\xff\xfe", b"\0\0\xfe\xff\xff"],
)
def test_a_marked_text_that_is_cut_or_damaged_is_still_text(raw: bytes) -> None:
    seen = text(raw)
    assert seen.data == seen.data.decode("utf-8").encode()


@pytest.mark.parametrize(
    "raw",
    [
        b"x = 1\0\n",
        b"\xef\xbb\xbfx\0",
        b"caf\xe9\0",
        b"\x7fELF\x02\x01\x01" + b"\0" * 50,
        bytes(range(256)) * 8,
        bytes(byte for byte in range(1, 256)) * 8,
        b"\xff\xfea\0\0\0",
        b"\0" * 100,
    ],
)
def test_binary_is_told_from_text(raw: bytes) -> None:
    assert reason(raw) == "binary"


@pytest.mark.parametrize("raw", [b"", b"\n", b"a\r\nb\rc\n", b"\x0c\n", b"\x1b[0m"])
def test_bytes_are_kept_as_they_are(raw: bytes) -> None:
    seen = text(raw)
    assert (seen.data, seen.encoding, seen.flags) == (raw, "utf-8", SymbolFlag(0))


def test_line_ends_survive_a_change_of_encoding() -> None:
    assert text("a\r\nb\r\n".encode("utf-16")).data == b"a\r\nb\r\n"


def test_the_digest_is_of_the_bytes_on_disk() -> None:
    raw = b"\xef\xbb\xbfx = 1\n"
    assert text(raw).digest == hashlib.blake2b(raw, digest_size=16).digest()
    assert text(raw).digest != text(raw[3:]).digest


@pytest.mark.parametrize("header", [b"", b"/* licence */\n" * 20])
@pytest.mark.parametrize("size", [50_000, 5_000_000])
def test_minified_code_is_skipped(header: bytes, size: int) -> None:
    line = b"function a(b){return b+1};"
    assert reason(header + line * (size // len(line))).startswith("minified")


@pytest.mark.parametrize(
    "raw",
    [
        b"x" * 5000,
        b"short line\r" * 5000,
        b"x = [" + b"1, " * 2000 + b"]\n" + b"code = 1\n" * 3000,
        ("A paragraph in one line. " * 25 + "\n\n").encode() * 40,
    ],
)
def test_long_lines_alone_are_not_minified(raw: bytes) -> None:
    assert text(raw).data == raw


@given(st.binary(max_size=300))
def test_any_bytes_give_text_or_a_reason(raw: bytes) -> None:
    seen = text_of("a.py", raw)
    if isinstance(seen, SourceText):
        seen.data.decode("utf-8")
    else:
        assert seen.reason


@given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=200))
def test_any_text_is_itself(source: str) -> None:
    encoded = source.encode()
    seen = text_of("a.py", encoded)
    if isinstance(seen, SourceText):
        assert seen.data == encoded.removeprefix(b"\xef\xbb\xbf")
    else:
        assert encoded.startswith((b"\xff\xfe", b"\xfe\xff"))


class TestFromDisk:
    def test_a_file(self, workspace: Workspace) -> None:
        workspace.write({"sub/caf\u00e9.py": SOURCE})
        seen = read(workspace.root, "sub/caf\u00e9.py", LIMIT)
        assert isinstance(seen, SourceText)
        assert seen.data.decode() == SOURCE

    def test_the_limit(self, workspace: Workspace) -> None:
        workspace.write({"a.py": "x" * 100})
        assert isinstance(read(workspace.root, "a.py", 100), SourceText)
        seen = read(workspace.root, "a.py", 99)
        assert seen == Skipped(path="a.py", reason="too large: 100 bytes, the limit is 99")

    def test_a_file_whose_size_lies(self) -> None:
        """Files of /proc say that they are empty, as a file does that grows after it is asked."""
        seen = read(Path("/proc/self"), "status", LIMIT)
        assert isinstance(seen, SourceText)
        assert b"Pid:" in seen.data
        assert isinstance(read(Path("/proc/self"), "status", 10), Skipped)

    @pytest.mark.parametrize("path", ["gone.py", "gone/a.py", "a.py/b.py"])
    def test_a_file_that_vanished(self, workspace: Workspace, path: str) -> None:
        workspace.touch("a.py")
        seen = read(workspace.root, path, LIMIT)
        assert seen == Skipped(path=path, reason="vanished while it was being read")

    def test_a_pipe_in_place_of_a_file_does_not_block(self, workspace: Workspace) -> None:
        os.mkfifo(workspace.root / "a.py")
        seen = read(workspace.root, "a.py", LIMIT)
        assert seen == Skipped(path="a.py", reason="not a regular file: a named pipe")

    def test_a_folder_in_place_of_a_file(self, workspace: Workspace) -> None:
        workspace.touch("a.py/b.py")
        seen = read(workspace.root, "a.py", LIMIT)
        assert seen == Skipped(path="a.py", reason="not a regular file: a folder")

    @pytest.mark.parametrize("path", ["loop.py", "n" * 300 + ".py", "a\0b.py"])
    def test_what_cannot_be_opened(self, workspace: Workspace, path: str) -> None:
        workspace.link("loop.py", "loop.py")
        seen = read(workspace.root, path, LIMIT)
        assert isinstance(seen, Skipped)
        assert seen.reason
