// Where a browser is.

import { spawnSync } from "node:child_process";

/** The program that the environment's `variable` names, or the first of `names` in PATH. */
export function executable(variable, names) {
  const named = process.env[variable];
  if (named) return named;
  for (const name of names) {
    const found = spawnSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).stdout.trim();
    if (found) return found;
  }
  throw new Error(`no ${names[0]} in PATH: install it, or name it in ${variable}`);
}
