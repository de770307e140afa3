-- The published data, format 3: what answers need of a data file, with columns for what is
-- filtered, ordered and summed up by. Texts are compared by their bytes, as the file does.
-- Records are the bytes of the file, checksums included. An id is that of the row in the file.

-- name: the name in answers. step_days, step_reg_nums: the sign dates and registry numbers of the
-- contracts from which a page is counted: after the first 500 from the oldest, the first 1,000
-- and so on (STEP in source.rs). sum: a checksum of inn, id, name and contracts, by which a
-- publication is compared with the file.
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

-- The names of the known suppliers and of the customers as they are searched, with their
-- numbers of contracts.
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

-- As the file's table.
CREATE TABLE purchase_winner (
    inn    text COLLATE "C" NOT NULL,
    day    bigint NOT NULL,
    number text COLLATE "C" NOT NULL
);

-- As the file's table.
CREATE TABLE purchase_facet (
    id         bigint NOT NULL,
    law        bigint NOT NULL,
    published  bigint NOT NULL,
    price      bigint,
    price_text text COLLATE "C",
    closes     bigint
);

-- As the file's table: packed, checksums included; sum is that checksum.
CREATE TABLE contract_items (
    id    bigint NOT NULL,
    sum   bigint NOT NULL,
    items bytea  NOT NULL
);

-- One row: the number of contracts that have no row in contract_items.
CREATE TABLE contract_items_total (
    without_items bigint NOT NULL
);

ALTER TABLE contract_items ALTER items SET STORAGE EXTERNAL;

-- The tokens by which contracts and purchases are found, as the index of the file has them
-- (model/content_tokens.rs).
CREATE TABLE contract_content (
    id     bigint NOT NULL,
    tokens text[] COLLATE "C" NOT NULL
);

CREATE TABLE purchase_content (
    id     bigint NOT NULL,
    tokens text[] COLLATE "C" NOT NULL
);

-- Packed already.
ALTER TABLE purchase ALTER record SET STORAGE EXTERNAL;

-- listed_from, listed_to: the first and the last day on which it is in force; sum: a checksum of
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

-- An official document without its facts: number is that of the contract, purchase or entry
-- that it is about, kind the kind of its facts, published in milliseconds since 1970; purchase
-- and annuls are as in the file; contract: of a document about a purchase, the number of the
-- contract under 223-FZ or PP-615 that it states, else empty. An id is greater than those of what was stored before, and never used again.
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

-- complete_since, complete_as_of: the days for which it is known to be complete; basis: the
-- ground of the last (declared or documents, empty where there are none); entries: how many
-- there are, of any day.
CREATE TABLE registry (
    federal_law    text COLLATE "C" NOT NULL,
    complete_since date,
    complete_as_of date,
    basis          text COLLATE "C" NOT NULL,
    entries        bigint NOT NULL
);

-- An inclusion that could not be read and that nothing has settled; about: the INNs that it may
-- mean, - for a supplier without one, * for anybody.
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

-- time: in seconds since 1970; identity: 0 where it is not known.
CREATE TABLE revision (
    number   bigint NOT NULL,
    time     bigint NOT NULL,
    identity bigint NOT NULL
);

-- key: an INN, the number of a purchase, or the code of a law; part and subject as in the file,
-- but that subject is 2^63 - 1 where that one is a text, which is then the key.
CREATE TABLE change (
    key      text COLLATE "C" NOT NULL,
    part     smallint NOT NULL,
    subject  bigint   NOT NULL,
    revision bigint   NOT NULL
);
