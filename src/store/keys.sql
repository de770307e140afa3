-- The keys file, format 1. Only the SHA-256 of a key is stored. Times are seconds since 1970.
-- A key is valid while revoked is null, until ends where that is set: it was issued for some
-- time (lasts, in seconds), or another key of the name takes its place. Revocation does not go
-- by the clock. A key with a rate of its own (requests a second; 0 is no limit) has a burst too.

CREATE TABLE key (
    id      INTEGER PRIMARY KEY,
    hash    BLOB    NOT NULL UNIQUE,
    name    TEXT    NOT NULL,
    issued  INTEGER NOT NULL,
    lasts   INTEGER,
    ends    INTEGER,
    revoked INTEGER,
    rate    INTEGER,
    burst   INTEGER
) STRICT;

CREATE UNIQUE INDEX one_valid_key_a_name ON key (name) WHERE revoked IS NULL AND ends IS NULL;

-- What was done with keys, in that order.
CREATE TABLE event (
    id      INTEGER PRIMARY KEY,
    at      INTEGER NOT NULL,
    action  TEXT    NOT NULL,
    name    TEXT    NOT NULL,
    details TEXT    NOT NULL
) STRICT;
