-- API keys, format 1. The tables are as in a keys file (../keys.sql), but in a separate schema.
-- Times are seconds since 1970. `change` is incremented by each change, in the same transaction.

CREATE SCHEMA procurement_lookup_keys;

CREATE TABLE procurement_lookup_keys.state (
    one    boolean PRIMARY KEY DEFAULT true CHECK (one),
    format integer NOT NULL,
    change bigint  NOT NULL
);

CREATE TABLE procurement_lookup_keys.key (
    id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    hash    bytea  NOT NULL UNIQUE,
    name    text   NOT NULL COLLATE "C",
    issued  bigint NOT NULL,
    lasts   bigint,
    ends    bigint,
    revoked bigint,
    rate    bigint,
    burst   bigint
);

CREATE UNIQUE INDEX one_valid_key_a_name ON procurement_lookup_keys.key (name)
    WHERE revoked IS NULL AND ends IS NULL;

CREATE TABLE procurement_lookup_keys.event (
    id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at      bigint NOT NULL,
    action  text   NOT NULL,
    name    text   NOT NULL,
    details text   NOT NULL
);

-- When each key was last used, in days since 1970. Servers write to this table and need no other
-- write permission.
CREATE TABLE procurement_lookup_keys.used (
    hash bytea   PRIMARY KEY,
    day  integer NOT NULL
);

INSERT INTO procurement_lookup_keys.state (format, change) VALUES (1, 0);
