// A receipt that was kept with an answer, verified on the page.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { bytesOf, launch, open } from "./browser.js";
import { cleanUp, demo } from "./service.js";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const INN = "9602003485";
const ASK = `/rnp/check-suppliers?supplierINN=${INN}&format=json&history=1`;

let browser, service, kept;
before(async () => {
  [browser, service] = await Promise.all([launch(), demo("--rnp-rate", "0")]);
  kept = await answered(ASK);
});
after(async () => {
  await browser.close();
  await service.stop();
  cleanUp();
});

/** An answer and its receipt, as a client keeps them. */
async function answered(path) {
  const response = await fetch(`${service.url}${path}&receipt=1`, { headers: { "X-API-Key": service.key } });
  return { receipt: response.headers.get("X-Receipt"), body: Buffer.from(await response.arrayBuffer()) };
}

const file = (name, content) => ({ name, mimeType: "text/plain", buffer: Buffer.from(content) });
const otherData = (receipt) => receipt.replace(/data=[^;]+/, "data=0123456789abcdef-1");
const otherAnswer = (receipt) => receipt.replace(/sha256=[^;]{4}/, "sha256=0000");

/** Drops files on an element, as a person does from a folder. */
const drop = (page, selector, files) =>
  page.evaluate(({ selector: on, list }) => {
    const dataTransfer = new DataTransfer();
    for (const { name, text } of list) dataTransfer.items.add(new File([text], name));
    document.querySelector(on).dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
  }, { selector, list: files.map(({ name, buffer }) => ({ name, text: buffer.toString() })) });

const onReceipt = (options) => open(browser, service, { hash: "#/receipt", ...options });

async function verify(page, text) {
  await page.locator("#receipt-text").fill(text);
  await page.getByRole("button", { name: "Сверить", exact: true }).click();
}

for (const [view, hash, selector] of [["start", "", "main"], ["list's view", "#/batch", "form.batch"], ["receipt's view", "#/receipt", "#receipt-text"]]) {
  test(`a receipt that is dropped on the ${view} with its answer is verified: what was asked, as of when, of which data`, async () => {
    const { page, close } = await open(browser, service, { hash });
    await page.locator(selector).first().waitFor();
    await drop(page, selector, [file("answer.json", kept.body), file("rnp.receipt.txt", `${kept.receipt}\n`)]);
    await page.getByRole("heading", { name: "Подтверждение верно: данные те же, ответ тот же" }).waitFor();
    assert.ok(page.url().endsWith("#/receipt"), page.url());
    await page.getByText("answer.json — это тот самый ответ, без единого изменения.").waitFor();
    const said = await page.locator(".verified.same .facts").innerText();
    const [, on, sha256] = /day=(\S+); sha256=(\w+)/.exec(kept.receipt);
    for (const words of [`Проверка по РНП: ${INN}`, on.split("-").reverse().join("."), sha256, ASK.split("?")[0]]) assert.ok(said.includes(words), `${words}: ${said}`);
    await page.getByLabel("Язык").selectOption("en");
    await page.getByRole("heading", { name: "Receipt confirmed: same data, same answer" }).waitFor();
    await page.getByRole("link", { name: INN }).click();
    await page.getByRole("heading", { level: 1, name: /СТОРОЖЕВОЙ БЕРЕГ/ }).waitFor();
    await close();
  });
}

test("each outcome has its sentence and its colour", async () => {
  const { page, close } = await onReceipt();
  for (const [receipt, outcome, words] of [
    [otherData(kept.receipt), "same-answer", "Подтверждение верно: ответ тот же"],
    [otherAnswer(otherData(kept.receipt)), "changed", "Данные обновились, и ответ теперь другой"],
    [otherAnswer(kept.receipt), "mismatch", "Подтверждение не сходится с данными"],
    [`HTTP/1.1 200 OK\r\nX-Receipt: ${kept.receipt}\r\n`, "same", "Подтверждение верно: данные те же, ответ тот же"],
  ]) {
    await verify(page, receipt);
    await page.locator(`.verified.${outcome}`).getByRole("heading", { name: words, exact: true }).waitFor();
  }
  await close();
});

for (const dark of [false, true]) {
  test(`no outcome has a finding of axe, nor is wider than a phone, ${dark ? "dark" : "light"}`, async () => {
    const { page, close } = await onReceipt({ dark, width: 390 });
    for (const [receipt, outcome] of [[kept.receipt, "same"], [otherAnswer(otherData(kept.receipt)), "changed"], [otherAnswer(kept.receipt), "mismatch"]]) {
      await page.locator("#receipt-file").setInputFiles([file("r.receipt.txt", receipt), file("answer.json", kept.body), file("other.json", "{}")]);
      await page.locator(`.verified.${outcome} h3`).waitFor();
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), outcome);
      await page.evaluate(AXE);
      const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
      assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`), [], outcome);
    }
    await close();
  });
}

test("an answer's file that was changed is not the answer, whatever its receipt is", async () => {
  const { page, close } = await onReceipt();
  const changed = kept.body.toString().replace(INN, "9602003527");
  await page.locator("#receipt-file").setInputFiles([file("r.receipt.txt", kept.receipt), file("changed.json", changed), file("whole.json", kept.body)]);
  await page.getByText("changed.json — это не тот ответ").waitFor();
  await page.getByText("whole.json — это тот самый ответ").waitFor();
  assert.deepEqual(await page.locator(".results h2").allTextContents(), ["Файл не тот: это не подтверждённый ответ"]);
  assert.equal(await page.locator(".results > :first-child h2").count(), 1);
  await page.getByRole("heading", { level: 3, name: "Подтверждение верно: данные те же, ответ тот же" }).waitFor();
  await close();
});

test("of a file in another format than the answer's, just that is said, by its first bytes or its ending", async () => {
  const { page, close } = await onReceipt();
  for (const [name, body, has] of [["a.xml", '<?xml version="1.0"?><a/>', "XML"], ["b.json", "PK\u0003\u0004", "XLSX"], ["c.csv", "supplierINN", "CSV"]]) {
    await page.locator("#receipt-file").setInputFiles([file("r.receipt.txt", kept.receipt), file(name, body)]);
    await page.getByText(`${name} — другой формат: это ${has}, а подтверждён ответ в формате JSON.`).waitFor();
    await page.getByRole("heading", { level: 2, name: "Файл не тот" }).waitFor();
  }
  await close();
});

test("a browser without SHA-256, as on an address without TLS, asks again where the answer is the same, and else says that it cannot", async () => {
  const { page, asked, close } = await onReceipt();
  await page.evaluate(() => Object.defineProperty(Crypto.prototype, "subtle", { get: () => undefined }));
  const give = (receipt, body) => page.locator("#receipt-file").setInputFiles([file("r.receipt.txt", receipt), file("a.json", body)]);
  await give(kept.receipt, kept.body);
  await page.getByText("a.json — это тот самый ответ").waitFor();
  assert.ok(asked.some((url) => url.includes("/rnp/check-suppliers") && url.includes("asOf=")));
  await give(otherData(kept.receipt), Buffer.concat([kept.body, Buffer.from(" ")]));
  await page.getByText("a.json — это не тот ответ").waitFor();
  await give(otherAnswer(otherData(kept.receipt)), kept.body);
  await page.getByText("a.json — сравнить нельзя").waitFor();
  await close();
});

test("what is no receipt, too large or not of this service is told in plain words, and nothing is asked of elsewhere", async () => {
  const { page, asked, close } = await onReceipt({ expected: /400/ });
  await page.getByRole("button", { name: "Сверить", exact: true }).click();
  await page.getByText("Вставьте текст подтверждения или выберите файл").waitFor();
  await verify(page, "ETag: \"x\"");
  await page.getByText("Подтверждения здесь нет").waitFor();
  await verify(page, `v1; ${"x".repeat(9000)}`);
  await page.getByText("Это длиннее 8 КБ").waitFor();
  await page.locator("#receipt-file").setInputFiles(file("large.receipt.txt", "v1; ".repeat(20_000)));
  await page.getByText("Это длиннее 8 КБ").waitFor();
  await page.locator("#receipt-file").setInputFiles(file("photo.txt", "x"));
  await page.getByText("Подтверждения здесь нет").waitFor();
  assert.ok(!asked.some((url) => url.includes("/receipt/verify")));
  for (const ask of ["https://elsewhere.example/rnp/check-suppliers?supplierINN=1", "//elsewhere.example/rnp/check-suppliers?supplierINN=1", "/nowhere?x=1"]) {
    await verify(page, kept.receipt.replace(/ask=.*/, `ask=${ask}`));
    await page.getByText("не выдавал, или оно повреждено").waitFor();
    await page.evaluate(() => document.querySelector(".results").replaceChildren());
  }
  assert.equal(asked.filter((url) => url.includes("/receipt/verify")).length, 1, "the server judges its own paths alone");
  await close();
});

test("what the page saves with an answer, it verifies", async () => {
  const { page, close } = await open(browser, service, { hash: "#/purchase/0296200014323000112" });
  const files = [];
  const both = new Promise((resolve) => {
    page.on("download", async (download) => {
      files.push({ ...file(download.suggestedFilename(), await bytesOf(download)) });
      if (files.length === 2) resolve();
    });
  });
  await page.locator(".answers").getByRole("button", { name: "Ответ с подтверждением" }).first().click();
  await both;
  assert.deepEqual(files.map(({ name }) => name.replace(/\d{4}-\d\d-\d\d/, "DAY")).sort(), ["purchase-0296200014323000112-DAY.receipt.txt", "purchase-0296200014323000112-DAY.xml"]);
  await page.goto(`${service.url}/?lang=ru#/receipt`);
  await page.locator("#receipt-file").setInputFiles(files);
  await page.locator(".verified.same").first().waitFor();
  assert.equal(await page.locator(".verified.same").count(), 2);
  await page.getByText("Закупка: 0296200014323000112").waitFor();
  await close();
});

test("a list that is dropped on the start is checked", async () => {
  const { page, close } = await open(browser, service);
  await page.locator(".home-cards").waitFor();
  await drop(page, "main", [file("list.csv", `Поставщик;ИНН\nБерег;${INN}\n`)]);
  await page.getByRole("heading", { name: "Проверен 1 поставщик" }).waitFor();
  await close();
});
