-- Creates the tables that format 2 adds to data files, and contract_facet with its new column.
CREATE TABLE contract_items (
    id    INTEGER PRIMARY KEY,
    items BLOB NOT NULL
) STRICT;

CREATE TABLE contract_items_total (
    one           INTEGER PRIMARY KEY CHECK (one = 1),
    with_items    INTEGER NOT NULL,
    without_items INTEGER NOT NULL,
    digest        INTEGER NOT NULL,
    sum           INTEGER NOT NULL
) STRICT;

INSERT INTO contract_items_total
SELECT 1, 0, count(*), 0, row_sum(0, count(*), 0) FROM contract_facet;

CREATE TABLE purchase_facet (
    id         INTEGER PRIMARY KEY,
    law        INTEGER NOT NULL,
    published  INTEGER NOT NULL,
    price      INTEGER,
    price_text TEXT,
    closes     INTEGER
) STRICT;

CREATE VIRTUAL TABLE content_index USING fts5(
    tokens, content = '', columnsize = 0, detail = none, tokenize = "ascii tokenchars '._-'"
);

CREATE TABLE search_rules (
    one   INTEGER PRIMARY KEY CHECK (one = 1),
    words INTEGER NOT NULL,
    names INTEGER NOT NULL,
    sum   INTEGER NOT NULL
) STRICT;

INSERT INTO search_rules VALUES (1, 0, 0, row_sum(0, 0));

CREATE TABLE rnp_seen (
    number TEXT    PRIMARY KEY,
    seen   INTEGER NOT NULL,
    sum    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

ALTER TABLE contract_facet RENAME TO contract_facet_1;

CREATE TABLE contract_facet (id INTEGER PRIMARY KEY, sign_date INTEGER NOT NULL, update_date INTEGER NOT NULL, stage INTEGER NOT NULL, customer_inn ANY NOT NULL, is_customer_named INTEGER NOT NULL, price INTEGER, price_text TEXT, has_subcontractors INTEGER NOT NULL, not_overdue_to INTEGER, facts INTEGER NOT NULL, reg_num ANY NOT NULL) STRICT;
