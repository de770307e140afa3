// The panels for failed requests: what happened and what to do, with a retry button where retrying
// may help. What the user has typed is kept.

import { useKey } from "./client.js";
import { h, icon } from "./dom.js";
import { forgetKey, givenKey, isRemembered, wasRefused } from "./key.js";
import { t } from "./texts.js";

/** Errors that only a reload of the page resolves. */
const RELOADED = ["outdated", "signedOut"];

/** Renders an error. `again` retries the request; `about` says what was requested. */
export function errorPanel(error, again, about = "") {
  if (error.kind === "key") return keyPanel(again, wasRefused());
  const kind = error.kind;
  const click = kind === "signedOut" ? () => location.reload() : again;
  const props = { type: "button", class: "main", on: { click } };
  const waiting = kind === "limit" && h("p", { class: "countdown", "aria-live": "off" });
  if (waiting) countDown(error.wait, waiting, again);
  return h(
    "section",
    { class: `panel error ${kind}`, role: "alert" },
    h("h2", {}, icon(kind === "notFound" ? "unknown" : "listed"), t(`error.${kind}`)),
    about && h("p", { class: "prose" }, about),
    h("p", {}, t(`error.${kind}.do`)),
    kind === "wrong" && error.text && h("p", { class: "said", lang: "ru" }, error.text),
    waiting,
    kind !== "notFound" && kind !== "wrong" && h("button", props, t(RELOADED.includes(kind) ? "reload" : "again")),
  );
}

/** Counts down to the next attempt, then calls `again`. */
function countDown(seconds, element, again) {
  const until = Date.now() + seconds * 1000;
  const say = () => (element.textContent = t("error.limit.wait", { n: Math.ceil((until - Date.now()) / 1000) }));
  const tick = () => {
    if (!element.isConnected) return undefined;
    if (Date.now() >= until) return again();
    say();
    return setTimeout(tick, 1000);
  };
  say();
  setTimeout(tick, 1000);
}

/** The form for the access key. With `refused`, the form says that the current key was rejected. */
export function keyPanel(then, refused = false) {
  const field = h("input", {
    type: "password", id: "key-field", autocomplete: "off", spellcheck: "false", required: true,
    "aria-describedby": refused ? "key-refused key-help" : "key-help", "aria-invalid": refused && "true",
  });
  const remember = h("input", {
    type: "checkbox", id: "key-remember", "aria-describedby": "key-remember-help", checked: isRemembered(),
  });
  const submit = (event) => {
    event.preventDefault();
    const value = field.value.trim();
    if (!value) return field.focus();
    useKey(value, remember.checked);
    return then();
  };
  return h(
    "section",
    { class: "panel ask-key", "aria-labelledby": "key-title" },
    h("h2", { id: "key-title" }, icon("key"), t(refused ? "error.key" : "key.title")),
    refused && h("p", { id: "key-refused", role: "alert" }, t("key.refused.do")),
    h("form", { on: { submit } },
      h("label", { for: "key-field" }, t("key.label")),
      h("div", { class: "joined" }, field, h("button", { type: "submit", class: "main" }, t("key.use"))),
      h("label", { class: "tick" }, remember, t("key.remember")),
      h("p", { id: "key-remember-help", class: "aside" }, t("key.remember.means")),
    ),
    h("div", { id: "key-help", class: "aside" },
      h("p", {}, t("key.kept")),
      h("p", {}, t("key.none"), " ", h("code", {}, "procurement-lookup keys issue NAME")),
    ),
    givenKey() !== null && h("button", { type: "button", class: "quiet", on: { click: forgetKey } }, t("key.forget")),
  );
}
