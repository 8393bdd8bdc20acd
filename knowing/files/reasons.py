"""Why something is not in the index, in words for people; each begins with what it is about."""

import errno
import os
import stat

from knowing.files.ignore import Rule

VERSION_CONTROL = "version control data"
UNDECODABLE = "name is not valid UTF-8"
WORKTREE = "worktree of the repository around it: a second copy of the same code"
GENERATED = "generated code (by its name)"
BINARY = "binary"
MINIFIED = "minified: lines are too long to be written by hand"
VANISHED = "vanished while it was being read"
ABSENT = "absent: there is no such file"
OUTSIDE = "outside the workspace"

_SPECIAL_FILES = (
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISDIR, "a folder"),
)


def ignored(rule: Rule) -> str:
    """For a path that an ignore file or the exclude setting names."""
    if rule.line == 0:
        return f"excluded by {rule.source} ({rule.text})"
    return f"ignored by {rule.source}:{rule.line} ({rule.text})"


def cache(what: str) -> str:
    return f"cache or environment ({what})"


def vendored(name: str) -> str:
    return f"vendored: code of other projects in {name}/"


def unsupported(extension: str) -> str:
    return f"unsupported: no language for {extension or 'names without extension'}"


def too_large(size: int, limit: int) -> str:
    return f"too large: {size:,} bytes, the limit is {limit:,}"


def special_file(mode: int) -> str:
    """Why a path of this mode cannot be read as a file; empty for a regular file."""
    if stat.S_ISREG(mode):
        return ""
    for test, what in _SPECIAL_FILES:
        if test(mode):
            return f"not a regular file: {what}"
    return "not a regular file"


def unreadable(error: OSError) -> str:
    if error.errno in (errno.ENOENT, errno.ENOTDIR):
        return VANISHED
    return f"unreadable: {error.strerror or type(error).__name__}"


def ignore_file(error: OSError) -> str:
    return f"unreadable: {error.strerror}, so its rules are not heeded"


def broken_link(error: OSError) -> str:
    if error.errno == errno.ELOOP:
        return "symbolic link loop"
    if error.errno == errno.ENOENT:
        return "broken symbolic link"
    return f"symbolic link that cannot be followed: {error.strerror}"


def link_inside(target: str) -> str:
    return f"symbolic link to {readable(target)}, which is scanned by itself"


def link_loop(seen_as: str) -> str:
    return f"symbolic link loop: the folder is the same as {readable(seen_as)}"


def link_outside(target: str) -> str:
    return f"symbolic link out of the workspace, not followed: {readable(target)}"


def is_utf8(name: str) -> bool:
    """Whether a name came from bytes that are valid UTF-8."""
    if name.isascii():
        return True
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def readable(path: str) -> str:
    """The path with each byte that is not UTF-8 written as an escape."""
    return path if path.isascii() else os.fsencode(path).decode("utf-8", "backslashreplace")
