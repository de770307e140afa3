// One address of each kind of view, for tests that visit them all.

import { open, shown } from "./browser.js";

const LIST = "9602003485,9602003527,9602003012,9602006662,960200142710,9602008719,9602000445,9602007779,7707083893,7707083894";
export const VIEWS = {
  home: "",
  supplier: "#/supplier/9602003485",
  contracts: "#/supplier/9602000445?stage=EC&sort=-contractPrice",
  unknown: "#/supplier/7707083893",
  bounds: "#/supplier/9602000445?priceFrom=100000&signedFrom=2020-01-01",
  customer: "#/customer/9608197580",
  ofCustomer: "#/customer/9608197580?tab=purchases",
  suppliers: "#/customer/9608197580?tab=suppliers",
  evidence: "#/evidence/9602003485?asOf=2025-01-15",
  purchase44: "#/purchase/0296200014323000112",
  purchase223: "#/purchase/32413620905",
  purchase615: "#/purchase/029620004102400014",
  notFound: "#/purchase/0000000000000000000",
  won: "#/supplier/9602000445?tab=purchases",
  customerSources: "#/customer/9608197580?tab=sources",
  customers: "#/supplier/9602000445?tab=customers",
  sources: "#/supplier/9602003485?tab=sources",
  batchForm: "#/batch",
  batch: `#/batch?inn=${LIST}`,
  find: "#/find/%D0%BE%D0%BE%D0%BE",
  nothingFound: "#/find/nobody",
  rnp: "#/rnp",
  prices: "#/search?q=%D0%BF%D0%BE%D1%81%D1%82%D0%B5%D0%BB%D1%8C%D0%BD%D0%BE%D0%B5&tab=prices",
  priceSheet: "#/price-sheet?q=%D0%BF%D0%BE%D1%81%D1%82%D0%B5%D0%BB%D1%8C%D0%BD%D0%BE%D0%B5&pick=2980129725426000023_1474.13,2980129725426000022_1101.97,2964026521025000066_1801.33&quantity=250",
  search: "#/search?q=постельное бельё&code=13.92&region=77&from=2014",
  searchPurchases: "#/search?q=ремонт&fact=overdue&tab=purchases",
  searchEmpty: "#/search?q=постельное бельё бамбук&from=2025",
  nowhere: "#/nowhere",
};

/** The views to visit if `SHORT` is set. */
const MAIN = ["contracts", "evidence", "purchase44", "batch", "rnp", "prices", "search"];

export const viewsToVisit = () => (process.env.SHORT ? MAIN : Object.keys(VIEWS));

/** Opens a view and waits until it has finished loading. */
export async function openView(browser, service, name, options) {
  const tab = await open(browser, service, { hash: VIEWS[name], ...options });
  await shown(tab.page);
  if (name === "batch") await tab.page.locator(".verdicts").waitFor();
  return tab;
}
