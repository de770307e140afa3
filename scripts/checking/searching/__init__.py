"""An independent implementation of the searches by content, for `scripts/checking/searches`:
nothing but scans over an export, by the manual's chapters "Searching" and "The API"."""
