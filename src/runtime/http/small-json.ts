/** Writes small plain values as JSON: JSON.stringify takes longer to begin than a small value takes to write (Node 20 to 24). */

/** Beyond these many values JSON.stringify is faster. */
const MOST_VALUES = 48;

/** What JSON.stringify writes otherwise than as it is. Surrogates may be in pairs, which it leaves; those are rare. */
// eslint-disable-next-line no-control-regex -- JSON escapes control characters
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/;

let valuesLeft = 0;

/**
 * The text that JSON.stringify gives for a value of strings, numbers, booleans, null, arrays and plain objects.
 *
 * @returns undefined for any other value, for a large one and for one without a JSON text
 */
export function smallJson(value: unknown): string | undefined {
  valuesLeft = MOST_VALUES;
  return textOf(value);
}

function textOf(value: unknown): string | undefined {
  if (--valuesLeft < 0) return undefined;
  switch (typeof value) {
    case 'string':
      return ESCAPED.test(value) ? JSON.stringify(value) : `"${value}"`;
    case 'number':
      return Number.isFinite(value) ? String(value) : 'null';
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? arrayText(value) : objectText(value);
    default:
      return undefined;
  }
}

function arrayText(items: readonly unknown[]): string | undefined {
  if (items.length > valuesLeft || 'toJSON' in items) return undefined;
  let text = '';
  for (const item of items) {
    const part = textOf(item);
    if (part === undefined) return undefined;
    text += text === '' ? part : `,${part}`;
  }
  return `[${text}]`;
}

function objectText(members: object): string | undefined {
  const prototype: unknown = Object.getPrototypeOf(members);
  if ((prototype !== Object.prototype && prototype !== null) || 'toJSON' in members) return undefined;
  let text = '';
  for (const name of Object.keys(members)) {
    const member = (members as Readonly<Record<string, unknown>>)[name];
    if (member === undefined) continue;
    const part = textOf(member);
    if (part === undefined) return undefined;
    text += text === '' ? `${nameText(name)}${part}` : `,${nameText(name)}${part}`;
  }
  return `{${text}}`;
}

/** The names of a contract are few; those that clients choose must not fill the memory. */
const names = new Map<string, string>();
const MOST_NAMES = 1000;

function nameText(name: string): string {
  let text = names.get(name);
  if (text === undefined) {
    text = `${JSON.stringify(name)}:`;
    if (names.size < MOST_NAMES) names.set(name, text);
  }
  return text;
}
