-- The current publication: a single row, written last in the publication's transaction. A reader
-- that selects this row along with others knows to which publication they belong. number increases
-- with each publication, whatever the file; format is the format of the tables; data_schema
-- contains them; the rest is the version of the data, as in the file's table meta. Servers of
-- earlier releases read this row, so its columns keep their names, types and meanings.
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

-- The schemas that publications have created. Only these are ever dropped.
CREATE TABLE IF NOT EXISTS procurement_lookup.data_schema (
    name text PRIMARY KEY
);
