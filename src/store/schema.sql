-- The data file, format 2. application_id is the kind of file, user_version the format. Records are
-- encoded as in src/store/record.rs. sum is the checksum of the other columns of a row (row_sum,
-- see there).

-- The version of the data. An import that changes answers sets a new random identity, adds 1 to
-- revision, and sets updated to the time in seconds since 1970.
CREATE TABLE meta (
    one      INTEGER PRIMARY KEY CHECK (one = 1),
    identity INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    updated  INTEGER NOT NULL,
    sum      INTEGER NOT NULL
) STRICT;

INSERT INTO meta (one, identity, revision, updated, sum)
SELECT 1, identity, 0, updated, row_sum(identity, 0, updated)
FROM (SELECT random() AS identity, unixepoch() AS updated);

-- The version of the rules that derived the records from documents (RULES in src/import/derive); 0
-- before the first import.
CREATE TABLE derivation (
    one   INTEGER PRIMARY KEY CHECK (one = 1),
    rules INTEGER NOT NULL,
    sum   INTEGER NOT NULL
) STRICT;

INSERT INTO derivation VALUES (1, 0, row_sum(0));

-- Suppliers, with their names and the number of contracts. given_name is the name in the last JSON
-- line that states one. official_name is the name in the newest official document: by time of
-- publication (official_since, in milliseconds since 1970), then by number (official_by). stated is
-- set if there was a supplier line for the supplier.
CREATE TABLE supplier (
    id             INTEGER PRIMARY KEY,
    inn            TEXT    NOT NULL UNIQUE,
    contracts      INTEGER NOT NULL DEFAULT 0,
    stated         INTEGER NOT NULL DEFAULT 0,
    given_name     TEXT    NOT NULL DEFAULT '',
    official_name  TEXT    NOT NULL DEFAULT '',
    official_since INTEGER NOT NULL DEFAULT 0,
    official_by    TEXT    NOT NULL DEFAULT '',
    sum            INTEGER NOT NULL
) STRICT;

-- Names of known suppliers and of customers in their searchable form (model/search_name.rs), with
-- the numbers of contracts, by which hits are ordered. id is supplier.id; for customers it is 2^32
-- or greater. inn is an integer if the text can be restored from it, otherwise a text.
CREATE TABLE searched_name (
    id        INTEGER PRIMARY KEY,
    inn       ANY     NOT NULL,
    contracts INTEGER NOT NULL,
    name      TEXT    NOT NULL
) STRICT;

CREATE UNIQUE INDEX searched_name_of_customer ON searched_name (inn) WHERE id >= 4294967296;

-- All sequences of three characters in the names, each with the ids of the names.
CREATE VIRTUAL TABLE name_index USING fts5(
    name, content = '', columnsize = 0, detail = none, tokenize = 'trigram case_sensitive 1'
);

-- Contracts of each supplier. For id see src/store/contract_id.rs. contract_facet has a row with
-- the same id for each contract (src/store/facets.rs).
CREATE TABLE contract (
    id     INTEGER PRIMARY KEY,
    record BLOB NOT NULL
) STRICT;

-- Items of contracts; id is contract.id. A contract has no row if its record already contains
-- everything about its items.
CREATE TABLE contract_items (
    id    INTEGER PRIMARY KEY,
    items BLOB NOT NULL
) STRICT;

-- The numbers of contracts with and without a row in contract_items, and the sum of the checksums
-- of those rows.
CREATE TABLE contract_items_total (
    one           INTEGER PRIMARY KEY CHECK (one = 1),
    with_items    INTEGER NOT NULL,
    without_items INTEGER NOT NULL,
    digest        INTEGER NOT NULL,
    sum           INTEGER NOT NULL
) STRICT;

INSERT INTO contract_items_total VALUES (1, 0, 0, 0, row_sum(0, 0, 0));

CREATE TABLE purchase (
    id     INTEGER PRIMARY KEY,
    number TEXT NOT NULL UNIQUE,
    record BLOB NOT NULL
) STRICT;

-- Values by which purchases are filtered and ordered, taken from their records. id is purchase.id;
-- law is 44, 223 or 615; published is YYYYMMDD, or 0 if missing; price and price_text are as in
-- contract_facet; closes is the end of submission in Moscow time, in minutes since 1970.
CREATE TABLE purchase_facet (
    id         INTEGER PRIMARY KEY,
    law        INTEGER NOT NULL,
    published  INTEGER NOT NULL,
    price      INTEGER,
    price_text TEXT,
    closes     INTEGER
) STRICT;

-- Tokens of contracts and purchases. For row ids see src/store/content_row.rs. The first letter of
-- a token is its kind. Characters above U+007F always belong to tokens.
CREATE VIRTUAL TABLE content_index USING fts5(
    tokens, content = '', columnsize = 0, detail = none, tokenize = "ascii tokenchars '._-'"
);

-- The versions of the rules that produced the data for searches; 0 if that data has not been
-- written. words applies to content_index and purchase_facet, names to searched_name and
-- name_index.
CREATE TABLE search_rules (
    one   INTEGER PRIMARY KEY CHECK (one = 1),
    words INTEGER NOT NULL,
    names INTEGER NOT NULL,
    sum   INTEGER NOT NULL
) STRICT;

INSERT INTO search_rules VALUES (1, 0, 0, row_sum(0, 0));

-- Winners of purchases under 223-FZ and PP-615, taken from the records of the cards. day is
-- YYYYMMDD, or 0 if missing.
CREATE TABLE purchase_winner (
    inn    TEXT    NOT NULL,
    day    INTEGER NOT NULL,
    number TEXT    NOT NULL,
    PRIMARY KEY (inn, day, number)
) STRICT, WITHOUT ROWID;

CREATE INDEX purchase_winner_of_purchase ON purchase_winner (number);

-- Entries of the registries of unfair suppliers. seen is the last day as of which a whole registry
-- contained the entry, as YYYYMMDD, or 0 if there is none.
CREATE TABLE rnp_entry (
    id          INTEGER PRIMARY KEY,
    number      TEXT    NOT NULL UNIQUE,
    inn         TEXT    NOT NULL,
    federal_law TEXT    NOT NULL,
    seen        INTEGER NOT NULL,
    record      BLOB    NOT NULL,
    sum         INTEGER NOT NULL
) STRICT;

CREATE INDEX rnp_entry_of_supplier ON rnp_entry (inn);

-- Numbers that whole registries contained although rnp_entry has no row for them, because their
-- inclusion was cancelled or the entry was forgotten. seen is as in rnp_entry, and moves there if
-- the entry is included again.
CREATE TABLE rnp_seen (
    number TEXT    PRIMARY KEY,
    seen   INTEGER NOT NULL,
    sum    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The number of entries, and a digest of the checksums of their rows, to detect missing rows.
CREATE TABLE rnp_total (
    one     INTEGER PRIMARY KEY CHECK (one = 1),
    entries INTEGER NOT NULL,
    digest  INTEGER NOT NULL,
    sum     INTEGER NOT NULL
) STRICT;

INSERT INTO rnp_total VALUES (1, 0, 0, row_sum(0, 0));

-- Days as of which registries were declared complete. is_whole is set if all entries of that
-- registry were imported; any other entry had then been removed from the registry by that day.
CREATE TABLE registry_day (
    federal_law TEXT    NOT NULL,
    day         TEXT    NOT NULL,
    is_whole    INTEGER NOT NULL,
    sum         INTEGER NOT NULL,
    PRIMARY KEY (federal_law, day)
) STRICT, WITHOUT ROWID;

-- Completeness of the registry of unfair suppliers, one row per law, derived from registry_day and
-- coverage: the first and last day for which it is known to be complete (YYYY-MM-DD or empty), the
-- basis of the last day (declared or documents), and the number of entries of any date. Before the
-- day in forgotten, entries may have been deleted.
CREATE TABLE registry (
    federal_law    TEXT    PRIMARY KEY,
    complete_since TEXT    NOT NULL,
    complete_as_of TEXT    NOT NULL,
    basis          TEXT    NOT NULL,
    entries        INTEGER NOT NULL,
    forgotten      TEXT    NOT NULL,
    sum            INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO registry VALUES
    ('44', '', '', '', 0, '', row_sum('44', '', '', '', 0, '')),
    ('223', '', '', '', 0, '', row_sum('223', '', '', '', 0, '')),
    ('615', '', '', '', 0, '', row_sum('615', '', '', '', 0, ''));

-- Registry inclusions that could not be parsed. place is a digest of the path of the file,
-- including the path within its archive. If unknown, number is empty, version is -1, and published
-- (milliseconds since 1970) is 0. about contains the INNs that the inclusion may be about, - for a
-- supplier without an INN, or * for anybody. meant is the same, as narrowed down by readable
-- documents and entries at the end of an import; it is empty if the inclusion is settled.
CREATE TABLE unread_entry (
    place       INTEGER NOT NULL,
    federal_law TEXT    NOT NULL,
    number      TEXT    NOT NULL,
    version     INTEGER NOT NULL,
    published   INTEGER NOT NULL,
    about       TEXT    NOT NULL,
    archive     TEXT    NOT NULL,
    entry       TEXT    NOT NULL,
    meant       TEXT    NOT NULL,
    sum         INTEGER NOT NULL,
    PRIMARY KEY (place, federal_law, number, version, published, about)
) STRICT, WITHOUT ROWID;

-- The official documents that were fetched: for each subsystem of EIS, document type and region of
-- the customer, the runs of days (YYYY-MM-DD, both inclusive). Runs do not overlap, and adjacent
-- ones are joined.
CREATE TABLE coverage (
    subsystem TEXT    NOT NULL,
    documents TEXT    NOT NULL,
    region    TEXT    NOT NULL,
    first_day TEXT    NOT NULL,
    last_day  TEXT    NOT NULL,
    sum       INTEGER NOT NULL,
    PRIMARY KEY (subsystem, documents, region, first_day)
) STRICT, WITHOUT ROWID;

-- Names of the official documents from which facts were taken (the local names of their elements),
-- with the subsystem of EIS that publishes them.
CREATE TABLE document_origin (
    id        INTEGER PRIMARY KEY,
    name      TEXT    NOT NULL,
    subsystem TEXT    NOT NULL,
    sum       INTEGER NOT NULL,
    UNIQUE (name, subsystem)
) STRICT;

-- Facts of official documents, from which the records above are derived. Only the newest version is
-- kept for each number (of the contract, purchase or entry), kind (of facts) and key (which
-- distinguishes several facts of the same kind). purchase is, for a contract, the number of the
-- purchase that led to it. annuls is set if the document annuls its contract. origin is
-- document_origin.id. A document that replaces an older version gets a new id. Because of
-- AUTOINCREMENT, new ids are greater than all earlier ones, even those of deleted rows.
CREATE TABLE document (
    id        INTEGER PRIMARY KEY AUTOINCREMENT,
    number    TEXT    NOT NULL,
    kind      INTEGER NOT NULL,
    key       TEXT    NOT NULL,
    version   INTEGER NOT NULL,
    published INTEGER NOT NULL,
    purchase  TEXT    NOT NULL,
    annuls    INTEGER NOT NULL,
    origin    INTEGER NOT NULL,
    sum       INTEGER NOT NULL,
    facts     BLOB    NOT NULL
) STRICT;

CREATE UNIQUE INDEX document_about ON document (number, kind, key);
CREATE INDEX document_of_purchase ON document (purchase) WHERE purchase <> '';
-- A contract under 223-FZ or PP-615 is a document about its purchase. Its key starts with the
-- number of the contract.
CREATE INDEX document_of_contract ON document (key) WHERE kind IN (35, 51);

-- Archives that were imported completely. name has the first 8 bytes each of the SHA-256 of the
-- folder and of the file name. modified is in nanoseconds since 1970, 0 if unknown. digest is the
-- SHA-256 of the file. read_by is the version of the readers (src/import/eis). counted contains the
-- counts of the import that read the archive, and refused is the number of refused documents.
CREATE TABLE archive (
    name     BLOB    PRIMARY KEY,
    size     INTEGER NOT NULL,
    modified INTEGER NOT NULL,
    digest   BLOB    NOT NULL,
    read_by  INTEGER NOT NULL,
    counted  BLOB    NOT NULL,
    refused  INTEGER NOT NULL,
    sum      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX archive_of_size ON archive (size, digest);

-- The revisions whose changes are in the log of changes, and the revision before them. Each has its
-- time (seconds since 1970) and the identity of the data at that time.
CREATE TABLE revision (
    number   INTEGER PRIMARY KEY,
    time     INTEGER NOT NULL,
    identity INTEGER NOT NULL,
    sum      INTEGER NOT NULL
) STRICT;

INSERT INTO revision
SELECT revision, updated, identity, row_sum(revision, updated, identity) FROM meta;

-- The log of changes: for each changed part, the revision in which it last changed. part is 1 for
-- the contracts of a supplier, 2 for the RNP check, 3 for the card of a purchase, 4 for the name of
-- a supplier, 5 for the contracts of a customer, 6 for the state of a registry. subject is the id
-- of the supplier or purchase, the INN of the customer (an integer or a text, as in
-- contract_facet), or the law as an integer.
CREATE TABLE change (
    part     INTEGER NOT NULL,
    subject  ANY     NOT NULL,
    revision INTEGER NOT NULL,
    sum      INTEGER NOT NULL,
    PRIMARY KEY (part, subject)
) STRICT, WITHOUT ROWID;

CREATE INDEX change_in_order ON change (revision, part, subject);
