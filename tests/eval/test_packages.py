import hashlib
import io
import tarfile
import zipfile
from pathlib import Path

import pytest

from eval.failure import EvalError
from eval.packages import Package, copy_own, download, packages, unpack

FILES = {
    "shop-1.0/src/shop.py": b"x = 1\n",
    "shop-1.0/src/deep/a.py": b"y = 1\n",
    "shop-1.0/dist/shop.js": b"z",
    "other/b.py": b"",
    "shop-1.0/../escaped.py": b"",
}


def as_tar() -> bytes:
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:gz") as archive:
        for name, content in FILES.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return data.getvalue()


def as_zip() -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, content in FILES.items():
            archive.writestr(name, content)
    return data.getvalue()


def package(address: str, data: bytes, keep: tuple[str, ...] = ("src",)) -> Package:
    digest = hashlib.sha256(data).hexdigest()
    return Package(
        name="shop",
        version="1.0",
        licence="MIT",
        address=address,
        sha256=digest,
        inside="shop-1.0",
        keep=keep,
    )


@pytest.mark.parametrize("data", [as_tar(), as_zip()], ids=["tar", "zip"])
def test_an_archive_is_checked_and_only_what_is_kept_is_written(
    data: bytes, tmp_path: Path
) -> None:
    file = tmp_path / "archive"
    file.write_bytes(data)
    pin = package(file.as_uri(), data)
    unpack(pin, download(pin), tmp_path / "out" / "shop")
    files = sorted(
        f.relative_to(tmp_path / "out").as_posix() for f in (tmp_path / "out").rglob("*.*")
    )
    assert files == ["shop/src/deep/a.py", "shop/src/shop.py"]


def test_another_archive_than_the_pinned_one_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "archive"
    file.write_bytes(as_tar())
    with pytest.raises(EvalError, match="not what was pinned"):
        download(package(file.as_uri(), b"another"))


def test_no_archive(tmp_path: Path) -> None:
    with pytest.raises(EvalError, match="cannot get"):
        download(package((tmp_path / "gone").as_uri(), b""))


def test_own_sources_come_without_questions_and_tests(tmp_path: Path) -> None:
    copy_own(tmp_path / "own")
    names = {path.name for path in (tmp_path / "own").iterdir()}
    assert {"knowing", "docs", "README.md"} <= names
    assert not names & {"eval", "tests"}
    assert not list((tmp_path / "own").rglob("*.pyc"))


def test_pins_are_whole() -> None:
    for pin in packages():
        assert len(pin.sha256) == 64
        assert pin.version in pin.address
        assert pin.address.startswith("https://")
