// The start: what can be looked up, and, over the demonstration data, examples to click.

import { about } from "./client.js";
import { h, icon } from "./dom.js";
import { hashOf } from "./routes.js";
import { t } from "./texts.js";

/** Of the demonstration data, one of each kind. */
const EXAMPLES = {
  supplier: [
    ["9602000445", "example.many"],
    ["9602003485", "example.listed"],
    ["9602003527", "example.formerly"],
    ["9602003012", "example.clean"],
  ],
  purchase: [
    ["0296200014323000112", "example.44"],
    ["0396300012424000231", "example.joint"],
    ["32413620905", "example.223"],
    ["029620004102400014", "example.615"],
  ],
};
const LIST = "9602003485,9602003527,9602003012,9602006662,960200142710,9602008719,9602000445,9602007779,7707083893,7707083894";

/** Puts the start into `main`. */
export function homeView(main) {
  const heading = h("h1", { tabindex: "-1" }, t("home.title"));
  const card = (kind, content) =>
    h("section", { class: "card" }, h("h2", {}, icon(kind), t(`home.${kind}`)), h("p", {}, t(`home.${kind}.text`)), content);
  const examples = (kind) => about.demo && [
    h("h3", {}, t("home.examples")),
    h("ul", { class: "examples" }, EXAMPLES[kind].map(([number, words]) =>
      h("li", {}, h("a", { href: hashOf(kind, number) }, h("span", { class: "code" }, number), h("span", { class: "aside" }, t(words)))))),
  ];
  main.replaceChildren(
    h("header", { class: "hero" }, heading, h("p", {}, t("home.lead"))),
    h("div", { class: "home-cards" },
      card("supplier", examples("supplier")),
      card("purchase", examples("purchase")),
      card("batch", [
        h("p", {}, h("a", { class: "button", href: hashOf("batch") }, t("home.batch.open"))),
        about.demo && [h("h3", {}, t("home.examples")), h("ul", { class: "examples" }, h("li", {}, h("a", { href: hashOf("batch", "", { inn: LIST }) }, t("example.batch"))))],
      ]),
    ),
    h("p", { class: "aside hint" }, t("home.hint")),
  );
  return { heading, stop: () => {} };
}
