import { launch } from "./browser.js";
const browser = await launch();
const base = process.argv[2];
for (const lang of ["ru", "en"]) {
const tab = await browser.newContext({ viewport: { width: 1280, height: 800 } });
const page = await tab.newPage();
page.on("console", (m) => console.log(m.text())); page.on("pageerror", (e) => console.log(String(e)));
page.on("response", (r) => r.status() >= 400 && console.log(r.status(), r.url())); page.on("requestfailed", (r) => console.log("failed", r.url(), r.failure()?.errorText));
const cdp = await tab.newCDPSession(page);
await cdp.send("Network.enable");
await cdp.send("Network.emulateNetworkConditions", { offline: false, latency: 400, downloadThroughput: 50 * 1024, uploadThroughput: 50 * 1024 });
const t0 = Date.now();
page.goto(`${base}/?lang=${lang}`, { waitUntil: "commit" }).catch(() => {});
await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length, null, { polling: 50 });
console.log("paint", await page.evaluate(() => Math.round(performance.getEntriesByName("first-contentful-paint")[0].startTime)), Date.now() - t0);
await page.screenshot({ path: `/tmp/frame/slow-${lang}.png` });
await page.locator("#search").pressSequentially("9602003485");
console.log("scripts there:", await page.evaluate(() => document.querySelectorAll("main > *").length), Date.now() - t0);
await page.keyboard.press("Enter");
await page.locator("h1").waitFor({ timeout: 9000 }).catch(async () => console.log(await page.content(), page.url()));
console.log("h1", Date.now() - t0, page.url());
await page.getByRole("heading", { level: 1, name: /СТОРОЖЕВОЙ БЕРЕГ/ }).waitFor();
console.log("answered", Date.now() - t0, page.url());
await tab.close();
}
await browser.close();
