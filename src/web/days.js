// Days and moments, as people read them.

import { language } from "./texts.js";

const MONTHS =
  "January February March April May June July August September October November December".split(" ");

/** A day as `22.04.2024`, or `22 April 2024`; what is no ISO day stays as it is. */
export function day(text) {
  const parts = /^(\d{4})-(\d\d)-(\d\d)/.exec(text ?? "");
  if (!parts) return text ?? "";
  const [, year, month, date] = parts;
  if (language() === "ru") return `${date}.${month}.${year}`;
  return `${Number(date)} ${MONTHS[Number(month) - 1]} ${year}`;
}

/** A day of a purchase, `22.04.2024` or `22.04.2024 10:00`, as `day` has days; other text as it is. */
export function dottedDay(text) {
  const [, date, month, year, time] = /^(\d\d)\.(\d\d)\.(\d{4})(?: (\d\d:\d\d))?$/.exec(text) ?? [];
  if (language() === "ru" || !MONTHS[Number(month) - 1]) return text;
  return [day(`${year}-${month}-${date}`), time].filter(Boolean).join(", ");
}

const inMoscow = (time) => new Date(time + 3 * 3600e3).toISOString();

/** A moment in UTC as day and hour in Moscow. */
export function moscow(moment) {
  const time = Date.parse(moment);
  if (Number.isNaN(time)) return "";
  const there = inMoscow(time);
  return `${day(there.slice(0, 10))}, ${there.slice(11, 16)}`;
}

/** The same as `2026-11-27 13:34`, for spreadsheets; what is no moment stays as it is. */
export function moscowMinute(moment) {
  const time = Date.parse(moment);
  return Number.isNaN(time) ? moment : inMoscow(time).slice(0, 16).replace("T", " ");
}

/** The day of a moment in UTC, in Moscow. */
export const moscowDay = (moment) => moscow(moment).split(",")[0];

/** The time of the newest response; this computer's clock may be wrong. */
let answered = NaN;

/** Takes the time of a response, as its header `Date` has it. */
export const setAnswered = (date) => (answered = Date.parse(date));

/** The time of the newest response, or by this computer's clock where there is none, in UTC. */
export const answeredAt = () => new Date(Number.isNaN(answered) ? Date.now() : answered).toISOString();

/** Today in Moscow as `2024-04-22`, by the server's clock once it has answered. */
export const todayInMoscow = () => inMoscow(Date.parse(answeredAt())).slice(0, 10);

/** Is this a day that there is, as `2024-04-22`? */
export function isDay(text) {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** The day after an ISO day. */
export const dayAfter = (text) => new Date(Date.parse(text) + 86_400_000).toISOString().slice(0, 10);
