// The conditions of the registry list as a row of chips. An active chip has a cross, an inactive
// one opens a menu of links or a form.

import { bounds, DAYS, range } from "./bounds.js";
import { day } from "./days.js";
import { h } from "./dom.js";
import { isCustomer } from "./filters.js";
import { menu } from "./menu.js";
import { conditionsIn, isName, LAWS, NONE, rnpHash } from "./rnp-conditions.js";
import { lawName, t } from "./texts.js";

const REGISTERED = { ...DAYS, stay: "days", names: ["registeredFrom", "registeredTo"] };

/** Returns a chip for each condition. `names` maps region codes to names. */
export function chips(conditions, names) {
  const { registeredFrom: from, registeredTo: until, customerINN, asOf } = conditions;
  const regions = [...names].sort(([, one], [, other]) => (one < other ? -1 : 1));
  const isReset = conditionsIn(conditions).length > 0;
  return [
    typed(conditions, "q", `«${conditions.q}»`, { maxlength: "200" }, isName),
    choice(conditions, "inForce", (value) => t(`rnpList.inForce.${value}`), ["true", "false"]),
    choice(conditions, "laws", (some) => some.split(",").map(lawName).join(", "), LAWS),
    from || until
      ? chosen(conditions, "days", range(from, until, day), { registeredFrom: "", registeredTo: "" })
      : opened("days", bounds(conditions, REGISTERED, (values) => (location.hash = rnpHash(conditions, values)))),
    choice(conditions, "region", (some) => some.split(",").map((code) => names.get(code) ?? code).join(", "),
      regions.map(([code]) => code)),
    typed(conditions, "customerINN", `${t("rnpList.customerINN")}: ${customerINN}`,
      { inputmode: "numeric", maxlength: "20" }, isCustomer),
    typed(conditions, "asOf", t("rnp.on", { day: day(asOf) }),
      { type: "date", min: "2000-01-01", max: "2100-12-31" }, Boolean),
    isReset && h("a", { class: "reset", "data-stay": "reset", href: rnpHash(conditions, NONE) }, t("filter.reset")),
  ];
}

/** An active condition. `changes` removes it. */
const chosen = (conditions, name, words, changes = { [name]: "" }) =>
  h("a", {
    class: "chip chosen", href: rnpHash(conditions, changes), "data-stay": name, title: t("filter.remove"),
  },
    h("span", { class: "words" }, words),
    h("span", { "aria-hidden": "true" }, " ×"),
    h("span", { class: "unseen" }, `, ${t("filter.remove")}`));

const opened = (name, content) => menu(t(`rnpList.${name}`), { kind: "chip", stay: name }, content);

/** A condition with a fixed set of values. `wordsOf` names a value. */
function choice(conditions, name, wordsOf, values) {
  if (conditions[name]) return chosen(conditions, name, wordsOf(conditions[name]));
  const link = (value) =>
    h("a", { href: rnpHash(conditions, { [name]: value }), "data-stay": name }, wordsOf(value));
  // Firefox puts scrollable elements into the tab order unless they have a tabindex.
  return opened(name, h("ul", { class: "options", tabindex: "-1" }, values.map((value) => h("li", {}, link(value)))));
}

/**
 * A condition that the user types into a field with the attributes `props`. `words` describes the
 * condition while it is active.
 */
function typed(conditions, name, words, props, isRight) {
  if (conditions[name]) return chosen(conditions, name, words);
  const messageId = `${name}-said`;
  const message = h("p", { class: "said", id: messageId, role: "alert", hidden: true }, t(`rnpList.${name}.wrong`));
  /** @type {any} */
  const field = h("input", { name, autocomplete: "off", "aria-describedby": messageId, ...props });
  const submit = (event) => {
    event.preventDefault();
    const value = field.value.trim();
    message.hidden = isRight(value) && field.validity.valid;
    if (message.hidden) return (location.hash = rnpHash(conditions, { [name]: value }));
    field.setAttribute("aria-invalid", "true");
    return field.focus();
  };
  return opened(name, h("form", { class: "bounds", novalidate: true, on: { submit } },
    h("label", { class: "field" }, h("span", {}, t(`rnpList.${name}.label`)), field),
    h("button", { type: "submit", "data-stay": name }, t("filter.apply")), message));
}
