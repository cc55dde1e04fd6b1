/** Decides which segments of a path, and which keys of an object, are values, and which are names. */

/**
 * Whether a segment of a path looks like a value, such as `7`, `INV-1001`, `pay_0001` or a UUID. Words are names until others are
 * seen in their place.
 */
export function isVariableSegment(segment: string): boolean {
  const text = decoded(segment);
  if (/^v\d+(?:\.\d+)*$/i.test(text)) return false;
  return (
    /[^\w.~!$'()*+,:=-]/.test(text) ||
    /^\d+$/.test(text) ||
    /\d{4}/.test(text) ||
    /[._~:+-]\d|\d[._~:+-]/.test(text) ||
    (/\d/.test(text) && /[A-Z]/.test(text)) ||
    (/\d/.test(text) && text.length >= 12) ||
    text.length >= 32 ||
    (text.match(/[a-z][A-Z]/g) ?? []).length > 5
  );
}

/** Whether the key of an object is an id, a date, an address or a token, and not the name of a property. */
export function isVariableName(name: string): boolean {
  return (
    name.length > 64 ||
    // Some validators pass over it.
    name === '__proto__' ||
    !/^[\p{L}_$@][\p{L}\p{N}_$@.:/ -]*$/u.test(name) ||
    /^.+@/.test(name) ||
    /\d{4}/.test(name) ||
    /[.:/ -]\d/.test(name) ||
    (name.match(/\d+/g) ?? []).length > 2 ||
    (name.length >= 32 && !/[_.:/ -]|[a-z][A-Z]/.test(name))
  );
}

/** The segment without its percent-encoding, as far as it has a valid one. */
export function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** `customers` is `customer`, `companies` is `company`. */
export function singular(word: string): string {
  if (/ies$/i.test(word)) return word.replace(/ies$/i, 'y');
  if (/(?:ss|x|ch|sh)es$/i.test(word)) return word.replace(/es$/i, '');
  return /[^s]s$/i.test(word) && !/(?:us|is)$/i.test(word) ? word.slice(0, -1) : word;
}
