-- The keys file, format 1. Only the SHA-256 of a key is stored. Times are seconds
-- since 1970. A key is valid while revoked is null, until ends where that is set: another
-- key of the name is to take its place then. Revocation does not go by the clock.

CREATE TABLE key (
    id      INTEGER PRIMARY KEY,
    hash    BLOB    NOT NULL UNIQUE,
    name    TEXT    NOT NULL,
    issued  INTEGER NOT NULL,
    revoked INTEGER,
    ends    INTEGER
) STRICT;

CREATE UNIQUE INDEX one_valid_key_a_name ON key (name) WHERE revoked IS NULL AND ends IS NULL;
