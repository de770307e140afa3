-- Tables that the trial format (trial_format.rs) adds to those of a release.
CREATE TABLE trial (
    id     INTEGER PRIMARY KEY,
    length INTEGER NOT NULL
) STRICT;

CREATE INDEX trial_of_length ON trial (length);
