/** The formats of dates, times and durations (RFC 3339), as text for generated modules. */
import type { HelperSource } from './helper-source.js';

export const TIME_FORMATS: Readonly<Record<string, HelperSource>> = {
  isDate: {
    needs: [],
    code: String.raw`
/** RFC 3339, full-date. */
function isDate(text) {
  if (!/^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/.test(text)) return false;
  const [year, month, day] = [Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8))];
  if (day < 29) return true;
  if (month === 2) return day === 29 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return day < 31 || (month !== 4 && month !== 6 && month !== 9 && month !== 11);
}`,
  },
  isTime: {
    needs: [],
    code: String.raw`
/** RFC 3339, full-time. A second 60 is a leap second, which is 23:59:60 in UTC. */
function isTime(text) {
  if (!/^(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/.test(text)) return false;
  if (text[6] !== "6") return true;
  const minutes = (clock) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5));
  const offset = /[Zz]$/.test(text) ? 0 : minutes(text.slice(-5)) * (text.at(-6) === "-" ? -1 : 1);
  return (minutes(text) - offset + 2880) % 1440 === 1439;
}`,
  },
  isDateTime: {
    needs: ['isDate', 'isTime'],
    code: String.raw`
/** RFC 3339, date-time. */
function isDateTime(text) {
  return (text[10] === "T" || text[10] === "t") && isDate(text.slice(0, 10)) && isTime(text.slice(11));
}`,
  },
  isDuration: {
    needs: [],
    code: String.raw`
/** RFC 3339, Appendix A, duration. */
function isDuration(text) {
  return /^P(?!$)(?:\d+W|(?:\d+Y(?:\d+M(?:\d+D)?)?|\d+M(?:\d+D)?|\d+D)?(?:T(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S))?)$/.test(text);
}`,
  },
};
