// Formatting of dates and times.

import { language } from "./texts.js";

const MONTHS =
  "January February March April May June July August September October November December".split(" ");

/** Formats an ISO date as `22.04.2024` or `22 April 2024`. Other strings are returned unchanged. */
export function day(text) {
  const parts = /^(\d{4})-(\d\d)-(\d\d)/.exec(text ?? "");
  if (!parts) return text ?? "";
  const [, year, month, date] = parts;
  if (language() === "ru") return `${date}.${month}.${year}`;
  return `${Number(date)} ${MONTHS[Number(month) - 1]} ${year}`;
}

/**
 * Formats a date from a purchase, `22.04.2024` or `22.04.2024 10:00`, like `day`. Other strings are
 * returned unchanged.
 */
export function dottedDay(text) {
  const [, date, month, year, time] = /^(\d\d)\.(\d\d)\.(\d{4})(?: (\d\d:\d\d))?$/.exec(text) ?? [];
  if (language() === "ru" || !MONTHS[Number(month) - 1]) return text;
  return [day(`${year}-${month}-${date}`), time].filter(Boolean).join(", ");
}

const inMoscow = (time) => new Date(time + 3 * 3600e3).toISOString();

/** Formats a UTC timestamp as date and time in Moscow. */
export function moscow(moment) {
  const time = Date.parse(moment);
  if (Number.isNaN(time)) return "";
  const there = inMoscow(time);
  return `${day(there.slice(0, 10))}, ${there.slice(11, 16)}`;
}

/**
 * Formats a UTC timestamp as Moscow time, `2026-11-27 13:34`, for spreadsheets. Other strings are
 * returned unchanged.
 */
export function moscowMinute(moment) {
  const time = Date.parse(moment);
  return Number.isNaN(time) ? moment : inMoscow(time).slice(0, 16).replace("T", " ");
}

/** Formats the Moscow date of a UTC timestamp. */
export const moscowDay = (moment) => moscow(moment).split(",")[0];

/**
 * Time of the latest response, in milliseconds. It is used because this computer's clock may be
 * wrong.
 */
let answered = NaN;

/** Stores the time of a response from its `Date` header. */
export const setAnswered = (date) => (answered = Date.parse(date));

/**
 * Returns the time of the latest response as a UTC timestamp, or this computer's time before the
 * first response.
 */
export const answeredAt = () => new Date(Number.isNaN(answered) ? Date.now() : answered).toISOString();

/**
 * Returns the current date in Moscow as `2024-04-22`. Uses the server's clock once there was a
 * response.
 */
export const todayInMoscow = () => inMoscow(Date.parse(answeredAt())).slice(0, 10);

/** Returns whether a string is an existing date in the form `2024-04-22`. */
export function isDay(text) {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

export const dayAfter = (text) => new Date(Date.parse(text) + 86_400_000).toISOString().slice(0, 10);
