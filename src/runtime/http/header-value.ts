/** Writes the value of a header: the reverse of decoding one (OpenAPI Header Object, style simple). */

/** Characters that a header may not hold (RFC 9110 §5.5): control characters, which could start another header, and those beyond U+00FF. */
const forbidden = /[^\t\x20-\x7e\x80-\xff]/;

/**
 * Writes a scalar as plain text, an array as `blue,black`, and an object as `R,100,G,200` or, exploded, `R=100,G=200`. Null
 * is an empty text, and null members are left out (RFC 6570 §3.2.1). Nothing is escaped.
 *
 * @throws TypeError for values inside arrays or objects that are not scalar, and for text that no header may hold
 * @example
 * encodeHeaderValue({ R: 100, G: 200 }, true); // 'R=100,G=200'
 */
export function encodeHeaderValue(value: unknown, explode = false): string {
  const text = write(value, explode);
  const [character] = forbidden.exec(text) ?? [];
  // The message names only the character, because the text may be a credential.
  if (character !== undefined) throw new TypeError(`A header cannot hold ${JSON.stringify(character)}`);
  return text;
}

function write(value: unknown, explode: boolean): string {
  if (Array.isArray(value)) return value.filter(isPresent).map(scalarText).join(',');
  if (typeof value !== 'object' || value === null) return isPresent(value) ? scalarText(value) : '';
  return Object.entries(value)
    .filter(([, member]) => isPresent(member))
    .map(([name, member]) => `${name}${explode ? '=' : ','}${scalarText(member)}`)
    .join(',');
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function scalarText(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'boolean':
    case 'bigint':
      return String(value);
    default:
      throw new TypeError(`A header cannot hold a value of type ${typeof value} inside another`);
  }
}
