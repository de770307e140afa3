-- The release that last wrote the file. Every release reads this table in files of any format, so
-- it must never change.
CREATE TABLE release (
    one     INTEGER PRIMARY KEY CHECK (one = 1),
    version TEXT    NOT NULL,
    sum     INTEGER NOT NULL
) STRICT;

INSERT INTO release VALUES (1, '', row_sum(''));

