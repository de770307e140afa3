-- The keys file, format 1. Only the SHA-256 of a key is stored. Times are in seconds since 1970. A
-- key is valid while revoked is null and, if ends is set, until then. ends is set if the key was
-- issued for a limited time (lasts, in seconds) or replaced by another key of the same name. A
-- revoked key stays invalid, whatever the time. rate and burst are set for keys with a limit
-- (requests per second; 0 means no limit).

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

-- Log of changes to keys, in the order of id.
CREATE TABLE event (
    id      INTEGER PRIMARY KEY,
    at      INTEGER NOT NULL,
    action  TEXT    NOT NULL,
    name    TEXT    NOT NULL,
    details TEXT    NOT NULL
) STRICT;
