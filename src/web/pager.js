import { h } from "./dom.js";
import { count } from "./figures.js";
import { SIZES } from "./filters.js";
import { t } from "./texts.js";

/**
 * Renders the pager: links to pages, the visible range (`range`, in words) and a menu of page
 * sizes. `to({page})` and `to({size, page})` return the addresses.
 */
export function pager({ page, pages, size, range }, to) {
  const link = (number, label, rel) => {
    const props = { "data-stay": `page-${rel}` };
    if (number < 1 || number > pages || number === page) {
      return h("span", { ...props, role: "link", "aria-disabled": "true", tabindex: "-1" }, label);
    }
    const href = to({ page: String(number) });
    return h("a", { ...props, href, rel: rel === "next" || rel === "prev" ? rel : null }, label);
  };
  const resize = (event) => (location.hash = to({ size: event.currentTarget.value, page: "" }));
  return h("nav", { class: "pager", "aria-label": t("pager.title") },
    h("span", { class: "range" }, range),
    pages > 1 && [
      link(1, t("pager.first"), "first"), link(Math.min(page - 1, pages), t("pager.prev"), "prev"),
      h("span", { class: "now" }, t("pager.now", { page: count(page), pages: count(pages) })),
      link(page + 1, t("pager.next"), "next"), link(pages, t("pager.last"), "last"),
    ],
    h("label", { class: "field" }, h("span", {}, t("pager.size")),
      h("select", { name: "size", "data-stay": "size", on: { change: resize } },
        SIZES.map((one) => h("option", { value: one, selected: Number(one) === size }, one)))),
  );
}
