-- The ledger of a folder of fetched documents, DIR/fetch.sqlite, format 1. application_id is the
-- kind of file, user_version the format. Times are in milliseconds since 1970.

-- Cells: the documents of one day, region, subsystem and document type, which one request asks for.
-- settled is the time when all archives were last downloaded or the service last reported that
-- there are none; null if this never happened, or if an archive has since gone missing. failed is
-- set if the last request failed.
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

-- Archives of each cell. The files are DIR/day/digest.zip.
CREATE TABLE archive (
    cell   INTEGER NOT NULL REFERENCES cell (id),
    digest BLOB    NOT NULL,
    length INTEGER NOT NULL,
    PRIMARY KEY (cell, digest)
) STRICT, WITHOUT ROWID;

-- Links in the service's last response for cells that are not settled yet. digest and length are
-- set if the archive is already on disk.
CREATE TABLE link (
    cell   INTEGER NOT NULL REFERENCES cell (id),
    link   TEXT    NOT NULL,
    asked  INTEGER NOT NULL,
    digest BLOB,
    length INTEGER,
    PRIMARY KEY (cell, link)
) STRICT, WITHOUT ROWID;

-- Unfinished runs: which cells they request, and when they started.
CREATE TABLE run (
    selection TEXT    PRIMARY KEY,
    started   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
