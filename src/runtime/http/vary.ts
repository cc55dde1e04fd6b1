/** Joins `Vary` headers: the names of the request headers that a response depends on (RFC 9110 §12.5.5). */

/** Cached results: few combinations occur. */
const joined = new Map<string, string>();
const MOST_COMBINATIONS = 100;

/** @returns the first, followed by the names that only the second has; `*` if one of them is `*` */
export function joinVary(first: string | readonly string[], second: string | readonly string[]): string {
  const key = `${String(first)};${String(second)}`;
  let text = joined.get(key);
  if (text === undefined) {
    text = join([first].flat().join(', '), [second].flat().join(', '));
    if (joined.size < MOST_COMBINATIONS) joined.set(key, text);
  }
  return text;
}

function join(first: string, second: string): string {
  const known = new Set(namesOf(first.toLowerCase()));
  const added = namesOf(second).filter((name) => !known.has(name.toLowerCase()));
  if (known.has('*') || added.includes('*')) return '*';
  return [...(known.size > 0 ? [first] : []), ...added].join(', ');
}

function namesOf(text: string): readonly string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
