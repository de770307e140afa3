import { chromium } from "playwright-core";
const U="http://127.0.0.1:4072";
const b = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
const LIST=`№;Поставщик;ИНН;Телефон
1;ООО ЧОО «Сторожевой берег»;9602003485;+7 495 123-45-67
2;ООО Прежний;9602003527;8 916 123 45 67
3;Речной сад;9602003012;
4;ООО Без ИНН;;
5;Сторожевой берег (повтор);9602003485;
6;ИП Ошибка;960200З485;
7;ИП Ноль;602003527;
8;Неизвестный;7707083893;
9;С опечаткой;7707083894;`;
for (const [w,dark,lang] of [[1280,false,"ru"],[390,true,"en"],[390,false,"ru"],[1280,true,"en"]]) {
  const c = await b.newContext({ viewport:{width:w,height:900}, colorScheme: dark?"dark":"light", locale: lang==="ru"?"ru-RU":"en-GB", permissions:["clipboard-read","clipboard-write"]});
  const p = await c.newPage(); p.on("console",m=>["error","warning"].includes(m.type())&&console.log(m.text())); p.on("pageerror",e=>console.log(String(e)));
  await p.goto(`${U}/?lang=${lang}#/batch`); await p.locator("#batch-text").fill(LIST); await p.locator("form.batch button.main").click(); await p.locator(".verdicts").waitFor();
  console.log(w, p.url(), await p.evaluate(()=>[document.documentElement.scrollWidth, innerWidth]));
  await p.screenshot({path:`/tmp/shots/batch-${w}-${lang}.png`, fullPage:true});
  const r = await (await fetch(`${U}/rnp/check-suppliers?supplierINN=9602003485&format=xml&history=1&receipt=1`,{headers:{"X-API-Key":"demo"}}));
  const body=Buffer.from(await r.arrayBuffer()), receipt=r.headers.get("x-receipt");
  await p.goto(`${U}/?lang=${lang}#/receipt`); await p.locator("#receipt-text").waitFor();
  await p.locator("#receipt-file").setInputFiles([{name:"rnp.receipt.txt",mimeType:"text/plain",buffer:Buffer.from(receipt+"\n")},{name:"rnp-9602003485.xml",mimeType:"text/xml",buffer:body}]);
  await p.locator(".verified h2").waitFor();
  await p.screenshot({path:`/tmp/shots/receipt-${w}-${lang}.png`, fullPage:true});
  for (const [name,text] of [["changed",receipt.replace(/data=[^;]*/,"data=aaaaaaaaaaaaaaaa-1").replace(/sha256=...../,"sha256=00000")],["mismatch",receipt.replace(/sha256=...../,"sha256=00000")]]) {
    await p.locator("#receipt-text").fill(text); await p.locator("form button.main").last().click(); await p.locator(`.verified.${name}`).waitFor();
    if (w===1280) await p.screenshot({path:`/tmp/shots/receipt-${name}-${lang}.png`, fullPage:true});
  }
  await p.goto(`${U}/?lang=${lang}#/`); await p.locator(".home-cards").waitFor(); await p.screenshot({path:`/tmp/shots/home-${w}-${lang}.png`, fullPage:true});
  await c.close();
}
process.exit(0)
