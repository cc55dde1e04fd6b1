/** The escapes of JSON Pointers (RFC 6901 §3). */

/** One step of a pointer, with its `/`. */
export function memberPointer(member: string | number): string {
  return `/${String(member).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** The name that a step of a pointer stands for; of a whole pointer, the text that a person reads. */
export function unescaped(pointer: string): string {
  return pointer.replaceAll('~1', '/').replaceAll('~0', '~');
}
