// Fetches files that need no access key: `/about.json` and tables of names.

import { CREDENTIALS, RequestError } from "./client.js";

/** Returns the text at `path`. Throws `RequestError`. */
export async function textOf(path) {
  const response = await fetch(path, { credentials: CREDENTIALS }).catch(() => null);
  if (!response?.ok) throw new RequestError(response?.status === 503 ? "unavailable" : "offline");
  return response.text();
}

const tables = new Map();

/**
 * Returns the rows of a TSV table without the header. Each table is loaded only once. Throws
 * `RequestError`.
 */
export function rowsOf(name) {
  if (!tables.has(name)) {
    const rows = textOf(new URL(name, import.meta.url).pathname)
      .then((text) => text.trimEnd().split("\n").slice(1).map((row) => row.split("\t")));
    rows.catch(() => tables.delete(name));
    tables.set(name, rows);
  }
  return tables.get(name);
}
