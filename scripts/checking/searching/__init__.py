"""An independent implementation of content search, for `scripts/checking/searches`. It follows the
manual's chapters "Searching" and "The API" and scans all records of an export, without an index."""
