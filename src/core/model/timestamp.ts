/** Moments in time as the service writes them: ISO 8601, UTC, always with six decimals, so that text order is time order. */
import { type InputPart, invalidInput } from './error.js';

/** For example `2026-01-31T23:59:59.000001Z`: always 27 characters, compared with `<` and `>`. */
export type Timestamp = string;

const earliest: Timestamp = '0001-01-01T00:00:00.000000Z';
const latest: Timestamp = '9999-12-31T23:59:59.999999Z';
const firstMs = Date.parse(earliest);
const lastMs = Date.parse(latest);

const rfc3339 =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;

/** @param ms milliseconds since 1970-01-01T00:00:00Z, within the years 1 to 9999 */
export function timestampOf(ms: number): Timestamp {
  return `${new Date(ms).toISOString().slice(0, 23)}000Z`;
}

/** @returns the moment one microsecond later, which is the smallest step. */
export function nextTimestamp(timestamp: Timestamp): Timestamp {
  const microseconds = Number(timestamp.slice(23, 26)) + 1;
  if (microseconds < 1000) return `${timestamp.slice(0, 23)}${String(microseconds).padStart(3, '0')}Z`;
  return timestampOf(Date.parse(`${timestamp.slice(0, 23)}Z`) + 1);
}

/** Microseconds since 1970-01-01T00:00:00Z; exact from the year 1684 until 2255. */
export function microsecondsOf(timestamp: Timestamp): number {
  return Date.parse(`${timestamp.slice(0, 23)}Z`) * 1000 + Number(timestamp.slice(23, 26));
}

/** Whole seconds since 1970-01-01T00:00:00Z. */
export function secondsOf(timestamp: Timestamp): number {
  return Math.floor(Date.parse(timestamp) / 1000);
}

/** The inverse of {@link microsecondsOf}. */
export function timestampOfMicroseconds(microseconds: number): Timestamp {
  const ms = Math.floor(microseconds / 1000);
  return timestampOf(ms).replace('000Z', `${String(microseconds - ms * 1000).padStart(3, '0')}Z`);
}

/** @returns the later of the two. */
export function latestOf(a: Timestamp, b: Timestamp): Timestamp {
  return a > b ? a : b;
}

/**
 * Reads a moment in any notation of RFC 3339 §5.6: any offset, any number of decimals, leap seconds. Decimals past the
 * sixth are dropped, which changes no comparison with a stored moment; years outside 1 to 9999 become the nearest bound.
 *
 * @param place the argument's name, for the message
 * @param inputPart the part of the input that it belongs to; a field unless given
 * @throws ServiceError `invalid-input` when the text is not a moment in this notation
 */
export function parseTimestamp(place: string, text: string, inputPart?: InputPart): Timestamp {
  const fail = () =>
    invalidInput(place, 'must be an ISO 8601 timestamp such as 2026-01-31T12:00:00Z', inputPart);
  const parts = rfc3339.exec(text);
  if (parts === null) throw fail();
  const part = (group: number) => Number(parts[group] ?? 0);
  const [year, month, day, hour, minute, second] = [part(1), part(2), part(3), part(4), part(5), part(6)];
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day); // unlike Date.UTC, does not move the years 0 to 99 to 1900
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) throw fail();
  if (hour > 23 || minute > 59 || second > 60 || part(9) > 23 || part(10) > 59) throw fail();

  const offset = (part(9) * 60 + part(10)) * (parts[8] === '-' ? -60 : 60);
  const ms = date.getTime() + ((hour * 60 + minute) * 60 + second - offset) * 1000;
  if (ms < firstMs) return earliest;
  if (ms > lastMs) return latest;
  const decimals = (parts[7] ?? '').slice(0, 6).padEnd(6, '0');
  return `${new Date(ms).toISOString().slice(0, 19)}.${decimals}Z`;
}

export interface Clock {
  /** The current time. Consecutive calls may return the same time, and a correction of the machine's clock may set it back. */
  now(): Timestamp;
}

let readMs = Number.NaN;
let readTimestamp = '';

/** Reads the system time, to the millisecond. The last text is cached, because a busy process reads it several times per millisecond. */
export const systemClock: Clock = {
  now: () => {
    const ms = Date.now();
    if (ms !== readMs) {
      readTimestamp = timestampOf(ms);
      readMs = ms;
    }
    return readTimestamp;
  },
};
