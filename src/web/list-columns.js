// Optional columns in the results of a list check: the name in the list, figures about contracts,
// and the list's other columns. The browser remembers which ones the user chose.

import { day } from "./days.js";
import { h } from "./dom.js";
import { count } from "./figures.js";
import { menu } from "./menu.js";
import { localStore } from "./storage.js";
import { t } from "./texts.js";

/** The columns with figures about contracts, and the facts that each of them counts. */
export const COUNTED = {
  terminated: ["terminatedByCustomer", "terminatedBySupplier", "terminatedMutually", "terminatedByCourt"],
  penalties: ["penalties"],
  overdue: ["overdue"],
};
/** How many of the list's other columns are shown by default. */
const SHOWN = 3;
/** A heading of row numbers, which the results show anyway. */
const NUMBERED = /^(?:№|#|n|no\.?|№?\s*п\s*[/.]?\s*п\.?)$/iu;
const MOST = 30;
/** Upper bound on lists whose chosen columns are remembered. */
const REMEMBERED = 60;
const STORED = "list-columns";

function choices() {
  try {
    return new Map(JSON.parse(localStore.getItem(STORED) ?? "[]"));
  } catch {
    return new Map();
  }
}

function remember(name, isChosen) {
  const chosen = choices();
  chosen.delete(name);
  chosen.set(name, isChosen);
  localStore.setItem(STORED, JSON.stringify([...chosen].slice(-REMEMBERED)));
}

/**
 * Returns the optional columns as `{name, label, isChosen, own}`. `own` is the column of the user's
 * table, or `null` for all other columns.
 */
export function optionalColumns(run) {
  const chosen = choices();
  const others = (run.table?.others ?? []).slice(0, MOST);
  const usual = others.filter(({ heading }) => !NUMBERED.test(heading)).slice(0, SHOWN);
  const column = (name, label, usually, own = null) => ({ name, label, own, isChosen: chosen.get(name) ?? usually });
  return [
    run.lines.some(({ name }) => name) && column("given", t("batch.column.given"), false),
    ...Object.keys(COUNTED).map((name) => column(name, t(`batch.column.${name}`), false)),
    ...others.map((own) => {
      const label = own.heading || t("batch.column.nth", { n: count(own.at + 1) });
      return column(`own ${label}`, label, usual.includes(own), own);
    }),
  ].filter(Boolean);
}

/** Returns whether a chosen column needs the figures about contracts. */
export const areFactsChosen = (run) => optionalColumns(run).some(({ name, isChosen }) => isChosen && COUNTED[name]);

/** The menu of columns. `changed` is called after each choice. */
export function columnsMenu(run, changed) {
  const choice = ({ name, label, isChosen }) => {
    const box = h("input", {
      type: "checkbox",
      checked: isChosen,
      "data-stay": `column-${name}`,
      on: { change: () => (remember(name, box.checked), changed()) },
    });
    return h("label", { class: "column-choice" }, box, h("span", {}, label));
  };
  const columns = optionalColumns(run);
  const part = (title, some) => some.length > 0 && h("fieldset", {}, h("legend", {}, title), some.map(choice));
  const element = menu(
    t("batch.columns"),
    { stay: "columns", kind: "columns-menu", button: "button" },
    part(
      t("batch.columns.found"),
      columns.filter(({ own }) => !own),
    ),
    part(
      t("batch.columns.own"),
      columns.filter(({ own }) => own),
    ),
  );
  element.open = run.areColumnsOpen === true;
  element.addEventListener("toggle", () => element.isConnected && (run.areColumnsOpen = element.open));
  return element;
}

/** Formats a cell of the list; dates are formatted like other dates on the page. */
export const ownText = (text) => (/^\d{4}-\d\d-\d\d$/.test(text) ? day(text) : text);

/** Returns how many contracts a column counts, or `null` if the figures were not fetched. */
export function factCount(facts, name) {
  if (!facts) return null;
  return facts.filter(({ fact }) => COUNTED[name].includes(fact)).reduce((sum, one) => sum + Number(one.count), 0);
}
