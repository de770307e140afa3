-- The data file, format 1. A file says its kind in application_id and its
-- format in user_version. Records are postcard, as src/store/record.rs has it.

-- Which data this is: a random identity given at creation, a revision that each
-- import that changes anything raises, and when that was (seconds since 1970).
CREATE TABLE meta (
    one      INTEGER PRIMARY KEY CHECK (one = 1),
    identity INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    updated  INTEGER NOT NULL
) STRICT;

INSERT INTO meta VALUES (1, random(), 0, unixepoch());

-- A supplier, the number of its contracts, and its names: as JSON Lines last
-- gave it, and as the newest official document (time of publication in
-- milliseconds, then its number) has it. stated: a supplier line was given.
CREATE TABLE supplier (
    id             INTEGER PRIMARY KEY,
    inn            TEXT    NOT NULL UNIQUE,
    contracts      INTEGER NOT NULL DEFAULT 0,
    stated         INTEGER NOT NULL DEFAULT 0,
    given_name     TEXT    NOT NULL DEFAULT '',
    official_name  TEXT    NOT NULL DEFAULT '',
    official_since INTEGER NOT NULL DEFAULT 0,
    official_by    TEXT    NOT NULL DEFAULT ''
) STRICT;

-- A supplier's contracts: id is supplier.id << 32 | ordinal, ordinals without a
-- gap from 0, the oldest (sign date, then registry number), to contracts - 1.
CREATE TABLE contract (
    id     INTEGER PRIMARY KEY,
    record BLOB NOT NULL
) STRICT;

-- Which contracts are there: what finds a record's place (with its sign date as
-- YYYYMMDD, 0 for none) and what tells a changed record from the same one.
CREATE TABLE contract_key (
    reg_num   TEXT    NOT NULL,
    supplier  INTEGER NOT NULL,
    sign_date INTEGER NOT NULL,
    digest    INTEGER NOT NULL,
    PRIMARY KEY (reg_num, supplier)
) STRICT, WITHOUT ROWID;

CREATE TABLE purchase (
    id     INTEGER PRIMARY KEY,
    number TEXT NOT NULL UNIQUE,
    record BLOB NOT NULL
) STRICT;

CREATE TABLE rnp_entry (
    id          INTEGER PRIMARY KEY,
    number      TEXT    NOT NULL UNIQUE,
    supplier    INTEGER NOT NULL,
    federal_law TEXT    NOT NULL,
    record      BLOB    NOT NULL
) STRICT;

CREATE INDEX rnp_entry_of_supplier ON rnp_entry (supplier);

-- The facts of official documents, the newest version of each: what the records
-- are derived from. kind and key say what a document is about.
CREATE TABLE document (
    id        INTEGER PRIMARY KEY,
    kind      INTEGER NOT NULL,
    key       TEXT    NOT NULL,
    version   INTEGER NOT NULL,
    published INTEGER NOT NULL,
    facts     BLOB    NOT NULL,
    UNIQUE (kind, key)
) STRICT;
