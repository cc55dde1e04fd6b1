/** JSON Pointers (RFC 6901) in their URI fragment form, as `$ref` writes them. */

/**
 * Escapes one step of a pointer (RFC 6901 §3). Percent signs, line ends and tabs are percent-encoded: in a URI, a percent sign
 * starts an escape (§6), and parsers remove line ends and tabs (WHATWG URL, §4.4).
 */
function pointerToken(token: string | number): string {
  const text = String(token);
  // Most need no escape, and large contracts have many.
  if (!/[~/%\t\n\r]/.test(text)) return text;
  const escaped = text.replaceAll('~', '~0').replaceAll('/', '~1');
  return escaped.replaceAll(/[%\t\n\r]/g, encodeURIComponent);
}

/** Undoes the escapes of one step (RFC 6901 §4). */
function unescapedToken(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** `base` continued by `tokens`: `#/components` and `a/b` make `#/components/a~1b`. */
export function joinPointer(base: string, ...tokens: readonly (string | number)[]): string {
  return [base, ...tokens.map(pointerToken)].join('/');
}

/**
 * The steps of a pointer, decoded: first the percent-encoding of the fragment (RFC 6901 §6), then `~1` and `~0`.
 *
 * @param pointer a URI fragment, `#` or `#/…`
 * @throws when it is not a local JSON Pointer
 */
export function pointerTokens(pointer: string): string[] {
  if (pointer !== '#' && !pointer.startsWith('#/'))
    throw new Error(`${pointer}: not a JSON Pointer into this document`);
  return pointer
    .split('/')
    .slice(1)
    .map((token) => unescapedToken(percentDecoded(token)));
}

/** The steps of a place: of the pointer itself, or of the pointer after the URI of another document. */
export function placeTokens(at: string): string[] {
  return pointerTokens(at.slice(Math.max(at.indexOf('#'), 0)));
}

/** The name of the component schema that a reference leads to. */
export function componentOf(reference: unknown): string | undefined {
  if (typeof reference !== 'string' || !reference.startsWith('#/components/schemas/')) return undefined;
  const [, , name, ...deeper] = pointerTokens(reference);
  return deeper.length === 0 ? name : undefined;
}

/** The spelling that equal pointers share: only the necessary characters are percent-encoded. */
export function canonicalPointer(pointer: string): string {
  return joinPointer('#', ...pointerTokens(pointer));
}

/**
 * The value that a local JSON Pointer points to.
 *
 * @param document the value that `#` points to
 * @param pointer a URI fragment: `#/paths/~1pets/get`
 * @throws `#/a/b: the reference has no target` when there is nothing at that place
 */
export function resolvePointer(document: unknown, pointer: string): unknown {
  let value = document;
  for (const token of pointerTokens(pointer)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, token))
      throw new Error(`${pointer}: the reference has no target`);
    value = (value as Readonly<Record<string, unknown>>)[token];
  }
  return value;
}

/** Like {@link resolvePointer}, but undefined if there is nothing at that place. */
export function valueAt(document: unknown, pointer: string): unknown {
  try {
    return resolvePointer(document, pointer);
  } catch {
    return undefined;
  }
}

/** A part of a fragment without its percent-encoding. */
export function percentDecoded(token: string): string {
  // Many documents have a bare % in a path; a text that cannot be decoded is left unchanged.
  try {
    return decodeURIComponent(token);
  } catch {
    return token;
  }
}
