// Uses the generated TypeScript client with a server that has the demonstration data.

import assert from "node:assert/strict";
import createClient from "openapi-fetch";
import type { components, paths } from "./api.js";

const base = process.argv[2];
const client = createClient<paths, "application/json">({ baseUrl: base, headers: { "X-API-Key": "demo" } });

type ContractPage = components["schemas"]["ContractPage"];

const page = await client.GET("/contract/monitor-supplier44", {
  params: { query: { supplierINN: "9602003012", format: "json" } },
});
assert(page.data !== undefined && !("error" in page.data));
const contracts: ContractPage["contracts"] = page.data.contracts;
assert.equal(page.data.totalcount, 1);
assert.equal(contracts[0]?.contractPrice, 709564.02);

const refused = await client.GET("/purchase/demo44", {
  params: { query: { purchaseNumber: "42", format: "json" } },
});
assert(refused.data !== undefined && "error" in refused.data);
assert.equal(refused.data.code, 400);

const many = await client.GET("/rnp/check-suppliers", {
  params: { query: { supplierINN: "9602006662,abc", format: "json" } },
});
assert.deepEqual(
  many.data?.suppliers.map((supplier) => supplier.verdict),
  ["listed", "invalid"],
);
console.log("the generated TypeScript client works");
