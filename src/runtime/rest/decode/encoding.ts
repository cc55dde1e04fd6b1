/** The encodings that carry text in paths, queries, cookies and headers. */

import { Mismatch } from './mismatch.js';

/** Decodes an encoded text. */
export type Decode = (text: string) => string | Mismatch;

const malformed = new Mismatch('is not valid percent-encoding');

/** Paths (RFC 3986 §2.1) and, by common practice, cookies. */
export function decodePercent(text: string): string | Mismatch {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return malformed;
  }
}

/** Queries and `application/x-www-form-urlencoded` bodies, where `+` is a space. */
export function decodeForm(text: string): string | Mismatch {
  return decodePercent(text.includes('+') ? text.replaceAll('+', ' ') : text);
}

/** Headers and multipart fields, which are not encoded. */
export function verbatim(text: string): string {
  return text;
}

/** Trims optional white space from both ends of a text: spaces and tabs only (RFC 9110 §5.6.3). */
export function trimBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return start === 0 && end === text.length ? text : text.slice(start, end);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}
