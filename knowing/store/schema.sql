-- The truth about a workspace. Everything here can be made again from the workspace itself, so a
-- version mismatch or damage is answered by starting afresh, never by a migration. Tables are strict,
-- so that the check of integrity also finds values that have turned into something else.
CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID, STRICT;

CREATE TABLE files (
    path TEXT NOT NULL PRIMARY KEY,
    language TEXT NOT NULL,
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    seen_ns INTEGER NOT NULL,
    digest BLOB NOT NULL,
    flags INTEGER NOT NULL,
    generation INTEGER NOT NULL,
    facts BLOB NOT NULL,
    checksum INTEGER NOT NULL
) STRICT;

CREATE TABLE skipped (
    path TEXT PRIMARY KEY,
    reason TEXT NOT NULL,
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    seen_ns INTEGER NOT NULL
) WITHOUT ROWID, STRICT;

CREATE TABLE commits (
    hash TEXT NOT NULL PRIMARY KEY,
    time INTEGER NOT NULL,
    data BLOB NOT NULL
) STRICT;

CREATE TABLE answers (
    turn INTEGER PRIMARY KEY,
    path TEXT NOT NULL,
    digest BLOB NOT NULL,
    origin INTEGER NOT NULL,
    server TEXT NOT NULL,
    environment TEXT NOT NULL,
    data BLOB NOT NULL,
    checksum INTEGER NOT NULL,
    UNIQUE (path, digest, origin, server, environment)
) STRICT;
