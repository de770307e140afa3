-- The published data, format 4: everything in a data file that answers need, with columns for
-- filtering, ordering and summing up. Texts are compared by bytes, as in the file. Records are the
-- file's bytes, including checksums. Ids are those of the rows in the file.

-- name is the name shown in answers. step_days and step_reg_nums are the sign dates and registry
-- numbers of the contracts from which pages are counted: the contract after the oldest 500, the one
-- after the oldest 1,000, and so on (STEP in source.rs). sum is the checksum of inn, id, name and
-- contracts, for comparing the publication with the file.
CREATE TABLE supplier (
    inn           text COLLATE "C"   NOT NULL,
    id            bigint  NOT NULL,
    name          text    NOT NULL,
    contracts     bigint  NOT NULL,
    stated        boolean NOT NULL,
    step_days     bigint[] NOT NULL,
    step_reg_nums text[] COLLATE "C" NOT NULL,
    sum           bigint  NOT NULL
);

-- Searchable names of known suppliers and of customers, with their numbers of contracts.
CREATE TABLE searched_name (
    inn         text COLLATE "C" NOT NULL,
    is_customer boolean NOT NULL,
    contracts   bigint  NOT NULL,
    name        text COLLATE "C" NOT NULL
);

CREATE TABLE purchase (
    number text COLLATE "C" NOT NULL,
    id     bigint NOT NULL,
    record bytea  NOT NULL
);

-- Like the file's table.
CREATE TABLE purchase_winner (
    inn    text COLLATE "C" NOT NULL,
    day    bigint NOT NULL,
    number text COLLATE "C" NOT NULL
);

-- Like the file's table.
CREATE TABLE purchase_facet (
    id         bigint NOT NULL,
    law        bigint NOT NULL,
    published  bigint NOT NULL,
    price      bigint,
    price_text text COLLATE "C",
    closes     bigint
);

-- Like the file's table. sum is the checksum at the end of items.
CREATE TABLE contract_items (
    id    bigint NOT NULL,
    sum   bigint NOT NULL,
    items bytea  NOT NULL
);

-- A single row: how many contracts have no row in contract_items.
CREATE TABLE contract_items_total (
    without_items bigint NOT NULL
);

ALTER TABLE contract_items ALTER items SET STORAGE EXTERNAL;

-- The tokens by which purchases are searched, as in the file's index (model/content_tokens.rs). The
-- table contract_content has those of contracts.
CREATE TABLE purchase_content (
    id     bigint NOT NULL,
    tokens text[] COLLATE "C" NOT NULL
);

-- The records are already compressed.
ALTER TABLE purchase ALTER record SET STORAGE EXTERNAL;

-- listed_from and listed_to are the first and last day in force. sum is the checksum of
-- supplier_inn, number and record.
CREATE TABLE rnp_entry (
    supplier_inn text COLLATE "C" NOT NULL,
    number       text COLLATE "C" NOT NULL,
    federal_law  text COLLATE "C" NOT NULL,
    listed_from  date,
    listed_to    date,
    record       bytea NOT NULL,
    sum          bigint NOT NULL
);

-- Official documents, without their facts. number is that of the contract, purchase or entry that
-- the document is about. kind is the kind of its facts. published is in milliseconds since 1970.
-- purchase and annuls are as in the file. contract is the number of the contract under 223-FZ or
-- PP-615 that a document about a purchase states, otherwise empty. Ids increase and are never
-- reused.
CREATE TABLE document (
    id        bigint   NOT NULL,
    number    text COLLATE "C" NOT NULL,
    kind      smallint NOT NULL,
    version   bigint   NOT NULL,
    published bigint   NOT NULL,
    purchase  text COLLATE "C" NOT NULL,
    annuls    boolean  NOT NULL,
    name      text COLLATE "C" NOT NULL,
    subsystem text COLLATE "C" NOT NULL,
    contract  text COLLATE "C" NOT NULL
);

-- complete_since and complete_as_of are the first and last day for which the registry is known to
-- be complete. basis says why it is complete (declared or documents), and is empty if there are no
-- such days. entries is the number of all entries, including those no longer in force.
CREATE TABLE registry (
    federal_law    text COLLATE "C" NOT NULL,
    complete_since date,
    complete_as_of date,
    basis          text COLLATE "C" NOT NULL,
    entries        bigint NOT NULL
);

-- Registry inclusions that could not be parsed and that no later document has settled. about
-- contains the INNs that an inclusion may be about, - for a supplier without one, or * for anybody.
CREATE TABLE unread_entry (
    federal_law text COLLATE "C" NOT NULL,
    number      text COLLATE "C" NOT NULL,
    version     bigint NOT NULL,
    published   bigint NOT NULL,
    about       text COLLATE "C" NOT NULL,
    archive     text COLLATE "C" NOT NULL,
    entry       text COLLATE "C" NOT NULL
);

CREATE TABLE coverage (
    subsystem text COLLATE "C" NOT NULL,
    documents text COLLATE "C" NOT NULL,
    region    text COLLATE "C" NOT NULL,
    first_day date NOT NULL,
    last_day  date NOT NULL
);

-- time is in seconds since 1970. identity is 0 if unknown.
CREATE TABLE revision (
    number   bigint NOT NULL,
    time     bigint NOT NULL,
    identity bigint NOT NULL
);

-- key is an INN, the number of a purchase, or the code of a law. part and subject are as in the
-- file, except that subject is 2^63 - 1 if the file has a text there. The text is then the key.
CREATE TABLE change (
    key      text COLLATE "C" NOT NULL,
    part     smallint NOT NULL,
    subject  bigint   NOT NULL,
    revision bigint   NOT NULL
);
