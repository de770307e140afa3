// The program as the tests need it: started on a free port over data of each kind.

import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request as requestTo } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PROGRAM = process.env.PROGRAM ?? join(ROOT, "target/debug/procurement-lookup");
const MARKUP = ["<img src=x onerror=alert(1)>", '"><script>alert(1)</script>', "</textarea>'\"&amp;<b>x</b>", "javascript:alert(1)"];

const folders = [];
const endings = [];

/** Has something ended when the tests of the file have run. */
export const atEnd = (end) => endings.push(end);

after(async () => {
  await Promise.all(endings.map((end) => end()));
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Runs the program to its end; what it printed. */
const run = (args, options) => runToEnd(PROGRAM, args, options);

/** The same of another program. */
function runToEnd(program, args, { input, folder } = {}) {
  const done = spawnSync(program, args, { input, cwd: folder, encoding: "utf8", maxBuffer: 1 << 30 });
  if (done.error) throw done.error;
  if (done.status !== 0) throw new Error(`${args.join(" ")}: exit ${done.status}\n${done.stderr}`);
  return done.stdout;
}

function newFolder() {
  const folder = mkdtempSync(join(tmpdir(), "page-test-"));
  folders.push(folder);
  return folder;
}

/** Starts `serve`; `{url, key, stop}`. */
function serve(args, folder, key) {
  const child = spawn(PROGRAM, ["serve", "--listen", "127.0.0.1:0", ...args], { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  child.stderr.on("data", (part) => (said += part));
  const stop = () =>
    new Promise((resolve) => {
      if (child.exitCode !== null || child.signalCode !== null) return resolve();
      child.once("exit", resolve);
      return child.kill("SIGTERM");
    });
  atEnd(stop);
  return new Promise((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`serve ended with ${code}: ${said}`)));
    child.stdout.on("data", (part) => {
      const url = /listening on (http:\S+)/.exec(part)?.[1];
      if (url) resolve({ url, key, stop });
    });
  });
}

/** Over the demonstration data in the program. */
export const demo = (...args) => serve(args, newFolder(), "demo");

/** The same with answers that are signed; also `{verify}`: what `verify` says of a receipt and its answer, an error where they do not match. */
export async function signing(...args) {
  const folder = newFolder();
  writeFileSync(join(folder, "public.pem"), run(["keys", "signing-key"], { folder }));
  const verify = (receipt, answer) => {
    writeFileSync(join(folder, "answer"), answer ?? "");
    return run(["verify", "-", ...(answer === undefined ? [] : ["answer"]), "--public-key", "public.pem"], { input: receipt, folder });
  };
  return { ...(await serve(args, folder, "demo")), verify };
}

/** Over a database that `lines` (JSON Lines) were imported into, with a key of its own. */
export const over = (lines, ...args) => overEach([[lines]], ...args);

/** The same of several imports, each its lines and options. */
export const overEach = (imports, ...args) => overImports(imports.map(([input, ...options]) => [input, ...options, "-"]), args);

/** Over a database that these invented documents were imported into. */
export const overDocuments = (names) => overImports([["", ...names.map((name) => join(ROOT, "data/documents", name))]], []);

function overImports(imports, args) {
  const folder = newFolder();
  const database = join(folder, "data.sqlite");
  for (const [input, ...rest] of imports) run(["import", "--database", database, ...rest], { input, folder });
  const key = run(["keys", "issue", "page", "--database", database], { folder }).trim().split(/\s+/).at(-1);
  return serve(["--database", database, ...args], folder, key);
}

/**
 * A proxy before `service` that answers only with this cookie, and names the user while it is `named`.
 */
export async function loginProxy(service, cookie) {
  const proxy = { url: "", key: "", cookie, named: true };
  const server = createServer((request, response) => {
    const headers = { ...request.headers };
    delete headers["x-remote-user"];
    if (headers.cookie !== cookie) return response.writeHead(401).end("sign in");
    if (proxy.named) headers["x-remote-user"] = "ann";
    const passedOn = requestTo(new URL(request.url, service.url), { method: request.method, headers }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    return passedOn.end();
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  proxy.url = `http://127.0.0.1:${/** @type {any} */ (server.address()).port}`;
  atEnd(() => (server.closeAllConnections(), server.close()));
  return proxy;
}

/** Synthetic lines of many suppliers. */
export const synthetic = () => runToEnd("cargo", ["run", "--quiet", "--package", "generate", "--", "--suppliers", "400", "--contracts", "6000", "--seed", "6"], { folder: ROOT });

/** The lines of the demonstration data. */
export const demoLines = () => run(["export"]);

/** The lines of the demonstration data where every text that may be any text is markup. */
export function markupLines() {
  let at = 0;
  const spoiled = (value, name) => {
    if (Array.isArray(value)) return value.map((item) => spoiled(item, name));
    if (value && typeof value === "object") return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, spoiled(item, key)]));
    if (typeof value !== "string" || KEPT.has(name) || /^[\d.,:+ -]*$/.test(value) || /^\d{4}-\d\d-\d\d/.test(value)) return value;
    at += 1;
    return `${MARKUP[at % MARKUP.length]} ${at}`;
  };
  const lines = demoLines().trim().split("\n").map((line) => JSON.parse(line));
  return lines.map((line) => JSON.stringify(spoiled(line))).join("\n");
}

/** What must stay what it is for a record to be taken. */
const KEPT = new Set(["type", "registrationNumber", "contractStage", "regNum"]);
