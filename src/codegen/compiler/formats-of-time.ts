/** The formats of dates, times and durations (RFC 3339), as they are written into generated modules. */
import type { HelperSource } from './helpers.js';

export const TIME_FORMATS: Readonly<Record<string, HelperSource>> = {
  isDate: {
    needs: [],
    code: String.raw`
/** RFC 3339, full-date. */
function isDate(text) {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  if (match === null) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (month < 1 || month > 12 || day < 1) return false;
  if (month === 2) return day <= (year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28);
  return day <= (month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31);
}`,
  },
  isTime: {
    needs: [],
    code: String.raw`
/** RFC 3339, full-time. A second 60 is a leap second, which is 23:59:60 in UTC. */
function isTime(text) {
  const match = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|([+-])(\d\d):(\d\d))$/i.exec(text);
  if (match === null) return false;
  const [hour, minute, second] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const [offsetHour, offsetMinute] = [Number(match[5] ?? 0), Number(match[6] ?? 0)];
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return false;
  if (second < 60) return true;
  const offset = (offsetHour * 60 + offsetMinute) * (match[4] === "-" ? -1 : 1);
  return (hour * 60 + minute - offset + 2880) % 1440 === 1439;
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
