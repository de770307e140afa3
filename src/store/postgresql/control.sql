-- What is published: one row, which the transaction of a publication writes last, so that
-- whoever reads it beside other rows knows of which publication those are. number grows with
-- each publication, of whatever file; format is that of the tables; data_schema is the schema
-- that has them; the rest is the version of the data, as the table meta of the file has it.
-- Servers of earlier releases read the row: its columns keep their names, types and meanings.
CREATE SCHEMA IF NOT EXISTS procurement_lookup;

CREATE TABLE IF NOT EXISTS procurement_lookup.publication (
    one         boolean PRIMARY KEY CHECK (one),
    format      integer NOT NULL,
    number      bigint  NOT NULL,
    data_schema text    NOT NULL,
    identity    bigint  NOT NULL,
    revision    bigint  NOT NULL,
    updated     bigint  NOT NULL
);

-- The schemas with data that publications have made: only these are ever dropped.
CREATE TABLE IF NOT EXISTS procurement_lookup.data_schema (
    name text PRIMARY KEY
);
