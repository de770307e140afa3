// The HTML of every view and every page of the manual is valid, and every link in them leads
// somewhere. Links to other hosts are not followed.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { HtmlValidate } from "html-validate";
import { launch, open, shown } from "./browser.js";
import { serveDemo } from "./service.js";
import { openView, viewsToVisit } from "./views.js";

const validator = new HtmlValidate({
  root: true,
  extends: ["html-validate:standard", "html-validate:a11y"],
  rules: {
    // There is no native element for suggestions below a field, or for a link that is disabled.
    "prefer-native-element": ["error", { exclude: ["listbox", "link"] }],
    // The manual is generated from Markdown, in which a table has no column scopes.
    "wcag/h63": "off",
  },
});
/** How many links to each kind of view are followed; see `kindOf`. */
const FOLLOWED = process.env.SHORT ? 1 : 3;

let browser, service;
/** The links of all documents, each with the places where it was found. */
const links = new Map();
/** The identifiers in each page of the manual, by path. */
const anchors = new Map();

before(async () => ([browser, service] = await Promise.all([launch(), serveDemo("--rnp-rate", "0")])));

/** Returns what is wrong with a document. */
async function faultsOf(html) {
  const { results } = await validator.validateString(html);
  return results.flatMap(({ messages }) => messages.map(({ ruleId, message, selector }) => `${ruleId}: ${message} (${selector})`));
}

function noteLinks(hrefs, place) {
  for (const href of hrefs) links.set(href, [...(links.get(href) ?? []), place]);
}

const hrefsOf = (page) => page.evaluate(() => [...document.querySelectorAll("a[href]")].map((link) => link.getAttribute("href")));

test("the HTML of every view is valid", async () => {
  for (const [at, name] of viewsToVisit().entries()) {
    const { page, close } = await openView(browser, service, name, { lang: at % 2 ? "en" : "ru" });
    for (const opener of (await page.locator(".opener:visible").all()).slice(0, 2)) await opener.click();
    assert.deepEqual(await faultsOf(await page.content()), [], name);
    noteLinks(await hrefsOf(page), name);
    await close();
  }
});

test("the HTML of the manual and of the API reference is valid", async () => {
  const get = async (path) => (await fetch(service.url + path)).text();
  const hrefsIn = (html) => [...html.matchAll(/<a [^>]*?href="([^"]*)"/g)].map(([, href]) => href.replaceAll("&amp;", "&"));
  for (const lang of ["ru", "en"]) {
    const chapters = new Set(hrefsIn(await get(`/docs/?lang=${lang}`)).filter((href) => href.startsWith("/docs/")).map((href) => href.split(/[?#]/)[0]));
    assert.ok(chapters.size > 15, "the table of contents was not understood");
    for (const path of ["/docs/", "/docs", "/", ...chapters]) {
      const html = await get(`${path}?lang=${lang}`);
      assert.deepEqual(await faultsOf(html), [], path);
      anchors.set(`${path}?lang=${lang}`, new Set([...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)));
      noteLinks(hrefsIn(html).map((href) => new URL(href, `${service.url}${path}?lang=${lang}`).href.replace(service.url, "")), `${path}?lang=${lang}`);
    }
  }
});

test("every link leads to a view, an anchor or a file that exists, or is a well-formed address", async (context) => {
  const faults = [];
  const views = new Map();
  const files = new Set();
  for (const [href, places] of links) {
    const fault = (words) => faults.push(`${href} in ${[...new Set(places)].join(", ")}: ${words}`);
    if (href.startsWith("#/")) {
      const kind = kindOf(href);
      views.set(kind, [...(views.get(kind) ?? []), href]);
    } else if (href.startsWith("#")) {
      if (href !== "#main") fault("an anchor of no view");
    } else if (href.startsWith("/")) {
      const [file, anchor = ""] = href.split("#");
      files.add(file);
      if (anchor.startsWith("/")) views.set(kindOf(`#${anchor}`), [...(views.get(kindOf(`#${anchor}`)) ?? []), `#${anchor}`]);
      else if (anchor && anchors.has(file) && !anchors.get(file).has(decodeURIComponent(anchor))) fault("no such anchor");
    } else {
      const { protocol, hostname } = new URL(href);
      if (protocol !== "https:" || !hostname.includes(".")) fault("not an address of another host");
    }
  }
  for (const file of files) {
    const { status } = await fetch(service.url + file, { headers: { "X-API-Key": service.key } });
    if (status !== 200) faults.push(`${file}: ${status}`);
  }
  const { page, close } = await open(browser, service);
  let followed = 0;
  for (const hrefs of views.values()) {
    for (const href of [...new Set(hrefs)].slice(0, FOLLOWED)) {
      followed += 1;
      await page.evaluate((to) => (location.hash = to), href);
      await shown(page);
      const error = await page.evaluate(() => document.querySelector("main .error, main > .view-head:only-child")?.textContent);
      if (error) faults.push(`${href}: ${error}`);
    }
  }
  await close();
  context.diagnostic(`${links.size} links, ${files.size} files, ${views.size} kinds of views, ${followed} followed`);
  assert.ok(views.size > 8 && files.size > 5, "the links were not found");
  assert.deepEqual(faults, []);
});

/** Returns the view in an address and its tab, and also the names of all parameters unless `SHORT` is set. */
function kindOf(href) {
  const [path, query = ""] = href.split("?");
  const named = [...new URLSearchParams(query)].map(([name, value]) => (name === "tab" ? `tab=${value}` : process.env.SHORT ? "" : name));
  return `${path.split("/")[1]} ${named.sort().join(" ").trim()}`;
}
