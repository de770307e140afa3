-- The state of a folder of fetched documents, format 1: DIR/fetch.sqlite. A file says its
-- kind in application_id and its format in user_version. Times are milliseconds since 1970.

-- What was asked for, and what came of it. settled: when it was last obtained in full, or
-- known to be empty; null if never. failed: did the last asking fail?
CREATE TABLE cell (
    id        INTEGER PRIMARY KEY,
    day       TEXT    NOT NULL,
    region    TEXT    NOT NULL,
    subsystem TEXT    NOT NULL,
    documents TEXT    NOT NULL,
    settled   INTEGER,
    failed    INTEGER NOT NULL DEFAULT 0,
    UNIQUE (day, region, subsystem, documents)
) STRICT;

-- The archives of cells: their files are DIR/day/digest.zip.
CREATE TABLE archive (
    cell   INTEGER NOT NULL REFERENCES cell (id),
    digest BLOB    NOT NULL,
    length INTEGER NOT NULL,
    PRIMARY KEY (cell, digest)
) STRICT, WITHOUT ROWID;

-- The links of the last answer about a cell that is not settled by it yet, with the
-- archives that are on the disk already.
CREATE TABLE link (
    cell   INTEGER NOT NULL REFERENCES cell (id),
    link   TEXT    NOT NULL,
    asked  INTEGER NOT NULL,
    digest BLOB,
    length INTEGER,
    PRIMARY KEY (cell, link)
) STRICT, WITHOUT ROWID;

-- The runs that have not come to their end: what they are to ask for, and when they began.
CREATE TABLE run (
    selection TEXT    PRIMARY KEY,
    started   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
