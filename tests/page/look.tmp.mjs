import { launch } from "./browser.js";
const browser = await launch();
const [base, keyed] = ["http://127.0.0.1:8311", "http://127.0.0.1:8313"];
for (const [url, name] of [[base, "demo"], [keyed, "keyed"]]) for (const lang of ["ru", "en"]) for (const width of [320, 390, 700, 1000, 1100, 1280]) {
  const tab = await browser.newContext({ viewport: { width, height: 800 }, colorScheme: width === 390 ? "dark" : "light" });
  const page = await tab.newPage();
  page.on("console", (m) => console.log(m.text())); page.on("pageerror", (e) => console.log(String(e)));
  await page.goto(`${url}/?lang=${lang}`);
  await page.locator("main > *").first().waitFor();
  if (process.env.LONG) await page.evaluate(() => (document.querySelector("nav span").textContent = "Проверка списка"));
  const [sw, h] = await page.evaluate(() => [document.documentElement.scrollWidth, document.querySelector("#header").offsetHeight]);
  console.log(name, lang, width, sw, h);
  if ([320, 390, 1100, 1280].includes(width)) await page.locator("#header").screenshot({ path: `/tmp/frame/h-${name}-${lang}-${width}.png` });
  if (name === "demo" && [390, 1280].includes(width)) {
    await page.locator("#search").pressSequentially("быстр");
    await page.locator("#hits").waitFor().catch(() => console.log("no hits"));
    await page.keyboard.press("ArrowDown");
    await page.screenshot({ path: `/tmp/frame/hits-${lang}-${width}.png` });
    await page.locator("#search").fill("все"); await page.keyboard.press("Enter");
    await page.locator(".found").waitFor();
    await page.screenshot({ path: `/tmp/frame/found-${lang}-${width}.png` });
    await page.locator("#search").fill("нет такого"); await page.keyboard.press("Enter");
    await page.locator(".panel").waitFor();
    await page.screenshot({ path: `/tmp/frame/none-${lang}-${width}.png` });
  }
  if (name === "keyed" && [390, 1280].includes(width)) {
    await page.locator("#key-button").click();
    await page.screenshot({ path: `/tmp/frame/key-${lang}-${width}.png` });
  }
  await tab.close();
}
await browser.close();
