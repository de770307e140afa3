-- The keys file, format 1. Only the SHA-256 of a key is stored. Times are seconds
-- since 1970; revoked is null while the key is valid.

CREATE TABLE key (
    id      INTEGER PRIMARY KEY,
    hash    BLOB    NOT NULL UNIQUE,
    name    TEXT    NOT NULL,
    issued  INTEGER NOT NULL,
    revoked INTEGER
) STRICT;

CREATE UNIQUE INDEX one_valid_key_a_name ON key (name) WHERE revoked IS NULL;
