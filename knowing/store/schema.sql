-- The truth about a workspace. Everything here can be made again from the workspace itself, so a
-- version mismatch or damage is answered by starting afresh, never by a migration.
CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE files (
    path TEXT PRIMARY KEY,
    language TEXT NOT NULL,
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    seen_ns INTEGER NOT NULL,
    digest BLOB NOT NULL,
    flags INTEGER NOT NULL,
    generation INTEGER NOT NULL,
    facts BLOB NOT NULL,
    checksum BLOB NOT NULL
);

CREATE TABLE skipped (
    path TEXT PRIMARY KEY,
    reason TEXT NOT NULL,
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    seen_ns INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE commits (
    hash TEXT PRIMARY KEY,
    time INTEGER NOT NULL,
    data BLOB NOT NULL
);
