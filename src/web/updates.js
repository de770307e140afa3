// Successive updates of a view: a new update aborts the requests of the previous one.

import { placeNow } from "./place.js";

/** Returns `{next, stop}`: `next` aborts the previous signal and returns a new one. */
export function signals() {
  let current = new AbortController();
  const next = () => {
    current.abort();
    current = new AbortController();
    return current.signal;
  };
  return { next, stop: () => current.abort() };
}

/**
 * Returns `{start, stop}` for a view that shows results in `section`. `start` begins an update for
 * new parameters: it marks the section as busy and returns the scroll position (see `placeNow`),
 * the conditions parsed from the parameters, and the signal for the requests.
 */
export function updates(section, conditionsOf) {
  const { next, stop } = signals();
  const start = (params) => {
    const place = placeNow();
    const conditions = conditionsOf(params);
    const signal = next();
    section.setAttribute("aria-busy", "true");
    return { place, conditions, signal };
  };
  return { start, stop };
}
