// The "Watch" menu: how to watch the suppliers of a list with `procurement-lookup watch`.

import { h, icon } from "./dom.js";
import { save } from "./downloads.js";
import { fileName } from "./file-name.js";
import { watchCsv } from "./list-files.js";
import { menu } from "./menu.js";
import { requestUrl } from "./routes.js";
import { language, t } from "./texts.js";

/**
 * Returns the menu: what `watch` does, the command to run, and the list as a file for that command.
 */
export function watchMenu(run) {
  const suppliers = [...run.found.values()].filter(({ verdict }) => verdict !== "invalid");
  const file = `${fileName(requestUrl("/suppliers", { supplierINN: ",", asOf: "" }), "watch")}.csv`;
  const saveList = () => save(watchCsv(suppliers), file, "text/csv");
  return menu(
    [icon("watch"), t("batch.watch")],
    { stay: "watch", kind: "watch-menu", button: "button", label: t("batch.watch") },
    h("p", {}, t("batch.watch.means")),
    h(
      "ol",
      {},
      ["one", "two"].map((step) => h("li", {}, t(`batch.watch.${step}`))),
    ),
    h("p", {}, h("code", {}, `procurement-lookup watch --database data.sqlite --list ${file} --since @watch.cursor`)),
    h(
      "button",
      { type: "button", class: "main", disabled: suppliers.length === 0, on: { click: saveList } },
      t("batch.watch.save"),
    ),
    h("p", {}, h("a", { href: `/docs/watch?lang=${language()}` }, t("batch.watch.manual"))),
  );
}
