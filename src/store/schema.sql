-- The data file, format 2. A file says its kind in application_id and its
-- format in user_version. Records are as src/store/record.rs has them; sum is the
-- checksum of a row's other columns (row_sum, there).

-- The version of the data: a random identity, renewed by each import that changes
-- anything, the number of such imports, and the time of the last (seconds since 1970).
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

-- The version of the rules by which records were derived from documents (RULES in
-- src/import/derive); 0 before the first import.
CREATE TABLE derivation (
    one   INTEGER PRIMARY KEY CHECK (one = 1),
    rules INTEGER NOT NULL,
    sum   INTEGER NOT NULL
) STRICT;

INSERT INTO derivation VALUES (1, 0, row_sum(0));

-- A supplier, the number of its contracts, and its names: the last one in JSON Lines,
-- and the one in the newest official document (by time of publication in milliseconds,
-- then number). stated: there was a supplier line.
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

-- The names of the known suppliers and of the customers as they are searched
-- (model/search_name.rs), with their numbers of contracts, by which hits are ordered. id is
-- supplier.id; that of a customer is 2^32 or greater. inn is an integer if that restores the
-- same text, else a text.
CREATE TABLE searched_name (
    id        INTEGER PRIMARY KEY,
    inn       ANY     NOT NULL,
    contracts INTEGER NOT NULL,
    name      TEXT    NOT NULL
) STRICT;

CREATE UNIQUE INDEX searched_name_of_customer ON searched_name (inn) WHERE id >= 4294967296;

-- All runs of three characters in the names, each with the ids of the names.
CREATE VIRTUAL TABLE name_index USING fts5(
    name, content = '', columnsize = 0, detail = none, tokenize = 'trigram case_sensitive 1'
);

-- A supplier's contracts; id is as src/store/contract_id.rs makes it. The table contract_facet
-- has a row of the same id for each (src/store/facets.rs).
CREATE TABLE contract (
    id     INTEGER PRIMARY KEY,
    record BLOB NOT NULL
) STRICT;

-- The items of a contract, under the contract's id. A contract has no row if its record has all of
-- each item.
CREATE TABLE contract_items (
    id    INTEGER PRIMARY KEY,
    items BLOB NOT NULL
) STRICT;

-- The numbers of contracts that have a row of contract_items and that have none, and the sum of
-- the checksums of the rows' items.
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

-- What purchases are filtered and ordered by, as their records say; id is purchase.id. law is 44,
-- 223 or 615; published YYYYMMDD, 0 for none; price and price_text as in contract_facet; closes
-- the end of submission in Moscow, in minutes since 1970.
CREATE TABLE purchase_facet (
    id         INTEGER PRIMARY KEY,
    law        INTEGER NOT NULL,
    published  INTEGER NOT NULL,
    price      INTEGER,
    price_text TEXT,
    closes     INTEGER
) STRICT;

-- The tokens of contracts and purchases, under the rows of src/store/content_row.rs. Each token
-- begins with the letter of its kind. All characters above U+007F are those of tokens.
CREATE VIRTUAL TABLE content_index USING fts5(
    tokens, content = '', columnsize = 0, detail = none, tokenize = "ascii tokenchars '._-'"
);

-- The version of tokens by which content_index and purchase_facet were written; 0 if they were
-- not written.
CREATE TABLE content (
    one   INTEGER PRIMARY KEY CHECK (one = 1),
    words INTEGER NOT NULL,
    sum   INTEGER NOT NULL
) STRICT;

INSERT INTO content VALUES (1, 0, row_sum(0));

-- Who won purchases under 223-FZ and PP-615, as the records of their cards say: the INN, and
-- the day as YYYYMMDD, 0 for none.
CREATE TABLE purchase_winner (
    inn    TEXT    NOT NULL,
    day    INTEGER NOT NULL,
    number TEXT    NOT NULL,
    PRIMARY KEY (inn, day, number)
) STRICT, WITHOUT ROWID;

CREATE INDEX purchase_winner_of_purchase ON purchase_winner (number);

-- An entry of the registry of unfair suppliers. seen: the last day of the whole registries
-- that have it, as YYYYMMDD, 0 for none.
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

-- The number of entries, and a digest over the checksums of their rows: they prove that none
-- is missing.
CREATE TABLE rnp_total (
    one     INTEGER PRIMARY KEY CHECK (one = 1),
    entries INTEGER NOT NULL,
    digest  INTEGER NOT NULL,
    sum     INTEGER NOT NULL
) STRICT;

INSERT INTO rnp_total VALUES (1, 0, 0, row_sum(0, 0));

-- The days as of which registries were declared complete. is_whole: the entries of such a
-- registry were imported, so that an entry that is not among them was gone by that day.
CREATE TABLE registry_day (
    federal_law TEXT    NOT NULL,
    day         TEXT    NOT NULL,
    is_whole    INTEGER NOT NULL,
    sum         INTEGER NOT NULL,
    PRIMARY KEY (federal_law, day)
) STRICT, WITHOUT ROWID;

-- How much of the registry of unfair suppliers is here, a row for each law, which follows from
-- registry_day and coverage: the days for which it is known to be complete (YYYY-MM-DD, empty
-- where there are none), the ground of the last (declared or documents), and the number of its
-- entries, of any date. forgotten: before this day nothing is known any more.
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

-- The inclusions in the registries that could not be read, by place (a digest of the path of the
-- file, with that within its archive): number is empty, version -1 and published (milliseconds since
-- 1970) 0 if it could not be made out. about: the INNs that it may mean, - for a supplier without
-- one, * for anybody. meant: the same with what readable documents add, empty if the inclusion is
-- settled. It follows from the documents and entries at the end of an import.
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

-- Which official documents were obtained: of each part of EIS, type of document and
-- customers' region the runs of days (YYYY-MM-DD, both included). Runs neither overlap nor
-- follow one another without a gap.
CREATE TABLE coverage (
    subsystem TEXT    NOT NULL,
    documents TEXT    NOT NULL,
    region    TEXT    NOT NULL,
    first_day TEXT    NOT NULL,
    last_day  TEXT    NOT NULL,
    sum       INTEGER NOT NULL,
    PRIMARY KEY (subsystem, documents, region, first_day)
) STRICT, WITHOUT ROWID;

-- The names of the official documents that facts came from (the local names of their
-- elements), with the parts of EIS that give them out.
CREATE TABLE document_origin (
    id        INTEGER PRIMARY KEY,
    name      TEXT    NOT NULL,
    subsystem TEXT    NOT NULL,
    sum       INTEGER NOT NULL,
    UNIQUE (name, subsystem)
) STRICT;

-- The facts of official documents, from which the records above are derived: of each
-- (number, kind, key) the newest version. number is that of the contract, purchase or
-- entry they are about, kind the kind of facts, key identifies one of several.
-- purchase: of a contract, the number of the purchase it was concluded after; annuls: the
-- document says that its contract was annulled; origin: the official document. A document
-- that replaces an older version gets a new id. AUTOINCREMENT: a new id is greater than any
-- before, including those of deleted rows.
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
-- A contract under 223-FZ or PP-615 is a document about its purchase; its number begins the key.
CREATE INDEX document_of_contract ON document (key) WHERE kind IN (35, 51);

-- The archives that were imported in full: the heads (8 bytes) of the SHA-256 of their folder
-- and of their file's name, their size, the time of
-- their modification (nanoseconds since 1970, 0 where it is not known), the SHA-256 of their
-- bytes, the version of the readers that read them (src/import/eis), the counts of the import
-- that read them, and how many of their documents were refused.
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

-- The log of changes. The revisions of which it has the changes, and the one before them,
-- with their times (seconds since 1970), and the identity that the data had in them.
CREATE TABLE revision (
    number   INTEGER PRIMARY KEY,
    time     INTEGER NOT NULL,
    identity INTEGER NOT NULL,
    sum      INTEGER NOT NULL
) STRICT;

INSERT INTO revision
SELECT revision, updated, identity, row_sum(revision, updated, identity) FROM meta;

-- The revision in which something last changed: part 1 the contracts of a supplier, 2 its
-- RNP check, 3 the card of a purchase, 4 the name of a supplier, 5 the contracts of a
-- customer, 6 the state of a law's registry. subject is the id of the supplier or purchase, the
-- customer's INN (an integer or a text, as in contract_facet), or the law as an integer.
CREATE TABLE change (
    part     INTEGER NOT NULL,
    subject  ANY     NOT NULL,
    revision INTEGER NOT NULL,
    sum      INTEGER NOT NULL,
    PRIMARY KEY (part, subject)
) STRICT, WITHOUT ROWID;

CREATE INDEX change_in_order ON change (revision, part, subject);
