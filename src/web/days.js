// Days and moments, as people read them.

import { language } from "./texts.js";

const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

/** A day as `22.04.2024`, or `22 Apr 2024`; what is no ISO day stays as it is. */
export function day(text) {
  const parts = /^(\d{4})-(\d\d)-(\d\d)/.exec(text ?? "");
  if (!parts) return text ?? "";
  const [, year, month, date] = parts;
  if (language() === "ru") return `${date}.${month}.${year}`;
  return `${Number(date)} ${MONTHS[month - 1]} ${year}`;
}

/** A moment in UTC as day and hour in Moscow. */
export function moscow(moment) {
  const time = new Date(moment);
  if (Number.isNaN(time.getTime())) return "";
  const there = new Date(time.getTime() + 3 * 3600e3).toISOString();
  return `${day(there.slice(0, 10))}, ${there.slice(11, 16)}`;
}
