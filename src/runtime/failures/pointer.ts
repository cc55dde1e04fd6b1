/** Escapes and unescapes the steps of JSON Pointers (RFC 6901 §3). */

/** One step of a pointer, with its `/`. */
export function memberPointer(member: string | number): string {
  return `/${String(member).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** Undoes the escapes of one step (RFC 6901 §4), or of a whole pointer that people will read. */
export function unescaped(pointer: string): string {
  return pointer.replaceAll('~1', '/').replaceAll('~0', '~');
}
