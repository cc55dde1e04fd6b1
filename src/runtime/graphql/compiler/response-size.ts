/** Estimates the size of a value as JSON, in bytes, without writing it. */

/** Shorter texts count as one byte per character, because measuring them takes longer than writing them. */
const WORTH_MEASURING = 64;
/** The quotes, or the brackets, and the comma. */
const PUNCTUATION = 3;
/** The estimate for a number, a boolean or null; few take more. */
const SCALAR = 5;

/** @returns the bytes of the text in UTF-8; characters that JSON escapes count as themselves */
export function sizeOfText(text: string): number {
  return (text.length < WORTH_MEASURING ? text.length : Buffer.byteLength(text)) + PUNCTUATION;
}

/**
 * Adds up the sizes within a value, up to the limit. So the time is bounded, and a value that contains itself counts as too
 * large.
 *
 * @returns the size, or a number greater than the limit
 */
export function sizeOf(value: unknown, limit: number): number {
  if (typeof value === 'string') return sizeOfText(value);
  if (typeof value !== 'object' || value === null) return SCALAR;
  let size = 0;
  // Not recursive: a resolver's value may be nested to any depth.
  const open: object[] = [value];
  for (let each = open.pop(); each !== undefined && size <= limit; each = open.pop()) {
    size += PUNCTUATION;
    if (Array.isArray(each)) {
      for (let index = 0; index < each.length && size <= limit; index += 1) size += add(each[index], open);
    } else {
      // Faster than Object.keys. Inherited properties would not be written, but results have none that are enumerable.
      for (const name in each) {
        size += name.length + PUNCTUATION + add((each as Readonly<Record<string, unknown>>)[name], open);
        if (size > limit) break;
      }
    }
  }
  return size;
}

/** @returns the size of a leaf; 0 for an object, which is added to `open` */
function add(value: unknown, open: object[]): number {
  if (typeof value === 'string') return sizeOfText(value);
  if (typeof value !== 'object' || value === null) return SCALAR;
  open.push(value);
  return 0;
}
