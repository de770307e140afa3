// The home page: what can be looked up, with examples if the data is the demonstration data.

import { about } from "./client.js";
import { h, icon } from "./dom.js";
import { recentPart } from "./recent.js";
import { hashOf } from "./routes.js";
import { t } from "./texts.js";

const LIST =
  "9602003485,9602003527,9602003012,9602006662,960200142710,9602008719,9602000445,9602007779,7707083893,7707083894";
const EXAMPLES = {
  supplier: hashOf("supplier", "9602003485"),
  purchase: hashOf("purchase", "0296200014323000112"),
  batch: hashOf("batch", "", { inn: LIST }),
};

export function homeView(main) {
  const heading = h("h1", { tabindex: "-1" }, t("home.title"));
  const card = (kind) =>
    h("section", { class: "card" }, h("h2", {}, icon(kind), t(`home.${kind}`)), h("p", {}, t(`home.${kind}.text`)),
      kind === "supplier" && h("p", {}, h("a", { href: hashOf("rnp") }, t("home.rnp"))),
      kind === "batch" && !about.demo && h("p", {}, h("a", { href: hashOf("batch") }, t("home.batch.open"))),
      about.demo && h("p", { class: "examples" },
        h("span", { class: "aside" }, t("home.example")), " ",
        h("a", { href: EXAMPLES[kind] }, t(`example.${kind}`))));
  main.replaceChildren(
    h("header", { class: "hero" }, heading, h("p", {}, t("home.lead"))),
    h("div", { class: "home-cards" }, ["supplier", "purchase", "batch"].map(card)),
    ...[recentPart()].filter(Boolean),
    h("p", { class: "aside hint" }, t("home.hint")),
  );
  return { heading, stop: () => {} };
}
