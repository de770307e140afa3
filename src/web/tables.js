// Files of the server that need no key: what it says of itself, and tables of names.

import { CREDENTIALS, Trouble } from "./client.js";

/** The text at `path`. Throws `Trouble`. */
export async function textOf(path) {
  const response = await fetch(path, { credentials: CREDENTIALS }).catch(() => null);
  if (!response?.ok) throw new Trouble(response?.status === 503 ? "unavailable" : "offline");
  return response.text();
}

const tables = new Map();

/** The rows of the table of that name, without its head; loaded once. Throws `Trouble`. */
export function rowsOf(name) {
  if (!tables.has(name)) {
    const rows = textOf(new URL(name, import.meta.url).pathname)
      .then((text) => text.trimEnd().split("\n").slice(1).map((row) => row.split("\t")));
    rows.catch(() => tables.delete(name));
    tables.set(name, rows);
  }
  return tables.get(name);
}
