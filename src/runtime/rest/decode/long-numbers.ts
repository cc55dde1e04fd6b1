/** Replaces numbers of JSON texts that have more digits than `JSON.parse` keeps. */

/** Every integer beyond 2^53 has at least 16 digits. */
const MANY_DIGITS = /\d{16}/;

/** A quote, or a number of at least 16 characters. */
const TOKEN = /"|-?\d[\d.eE+-]{15,}/g;

/**
 * Replaces the numbers that may have 16 digits or more. It takes time in proportion to the text, and no stack.
 *
 * @param text - JSON
 * @param replacementOf - what is written for a number; undefined leaves it
 * @returns the text itself where no number is replaced
 */
export function replaceLongNumbers(
  text: string,
  replacementOf: (number: string) => string | undefined,
): string {
  if (!MANY_DIGITS.test(text)) return text;
  let result = '';
  let end = 0;
  TOKEN.lastIndex = 0;
  for (let token = TOKEN.exec(text); token !== null; token = TOKEN.exec(text)) {
    const [found] = token;
    if (found === '"') {
      TOKEN.lastIndex = endOfString(text, token.index);
      continue;
    }
    const replacement = replacementOf(found);
    if (replacement === undefined) continue;
    result += text.slice(end, token.index) + replacement;
    end = TOKEN.lastIndex;
  }
  return end === 0 ? text : result + text.slice(end);
}

/** The index behind a string: its quote has an even number of backslashes before it. */
function endOfString(text: string, start: number): number {
  let quote = start;
  let backslashes: number;
  do {
    quote = text.indexOf('"', quote + 1);
    if (quote === -1) return text.length;
    backslashes = 0;
    while (text.charCodeAt(quote - 1 - backslashes) === 0x5c) backslashes += 1;
  } while (backslashes % 2 === 1);
  return quote + 1;
}
