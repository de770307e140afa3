// Starts the program on a free port, with various data.

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

/** Registers a function to call once all tests of the file have finished. */
export const atEnd = (end) => endings.push(end);

after(async () => {
  await Promise.all(endings.map((end) => end()));
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Runs the program and returns its output. */
const run = (args, options) => runToEnd(PROGRAM, args, options);

/** Runs any program and returns its output. */
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

/** Starts `serve` and returns `{url, key, stop}`. */
function serve(args, folder, key) {
  const child = spawn(PROGRAM, ["serve", "--listen", "127.0.0.1:0", ...args], { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  let log = "";
  child.stderr.on("data", (part) => (log += part));
  const stop = () =>
    new Promise((resolve) => {
      if (child.exitCode !== null || child.signalCode !== null) return resolve();
      child.once("exit", resolve);
      return child.kill("SIGTERM");
    });
  atEnd(stop);
  return new Promise((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`serve ended with ${code}: ${log}`)));
    child.stdout.on("data", (part) => {
      const url = /listening on (http:\S+)/.exec(part)?.[1];
      if (url) resolve({ url, key, stop });
    });
  });
}

export const serveDemo = (...args) => serve(args, newFolder(), "demo");

/**
 * Serves the demonstration data with signed responses. The result has a function `verify`, which
 * runs the command `verify` on a receipt and a response, and throws if they do not match.
 */
export async function serveSigned(...args) {
  const folder = newFolder();
  writeFileSync(join(folder, "public.pem"), run(["keys", "signing-key"], { folder }));
  const verify = (receipt, answer) => {
    writeFileSync(join(folder, "answer"), answer ?? "");
    return run(["verify", "-", ...(answer === undefined ? [] : ["answer"]), "--public-key", "public.pem"], { input: receipt, folder });
  };
  return { ...(await serve(args, folder, "demo")), verify };
}

/** Imports `lines` (JSON Lines) into a new database and serves it. Also issues a key. */
export const serveLines = (lines, ...args) => serveImports([[lines]], ...args);

/**
 * Runs several imports into a new database, each with its lines and options, and serves the
 * database.
 */
export const serveImports = (imports, ...args) => overImports(imports.map(([input, ...options]) => [input, ...options, "-"]), args);

/** Imports documents from `data/documents` into a new database and serves it. */
export const serveDocuments = (names) => overImports([["", ...names.map((name) => join(ROOT, "data/documents", name))]], []);

function overImports(imports, args) {
  const folder = newFolder();
  const database = join(folder, "data.sqlite");
  for (const [input, ...rest] of imports) run(["import", "--database", database, ...rest], { input, folder });
  const key = run(["keys", "issue", "page", "--database", database], { folder }).trim().split(/\s+/).at(-1);
  return serve(["--database", database, ...args], folder, key);
}

/**
 * Starts a proxy in front of `service` that requires a cookie. While `named` is true, the proxy
 * tells the service who the user is.
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

/** Returns synthetic lines with many suppliers. */
export const synthetic = () => runToEnd(join(ROOT, "scripts/checking/generate"), ["--suppliers", "400", "--contracts", "6000", "--seed", "6"]);

/** Returns the demonstration data as JSON Lines. */
export const demoLines = () => run(["export"]);

/** Returns the demonstration data with markup inserted into every free text. */
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

/** Fields whose values must not change, because the record could not be imported otherwise. */
const KEPT = new Set(["type", "registrationNumber", "contractStage", "regNum"]);
