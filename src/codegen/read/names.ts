/** Names for what has none, and names that TypeScript can use. */

/**
 * An operationId for an operation without one: `get /pets/{petId}` is `getPetsByPetId`.
 *
 * @param method - lower-case
 * @param path - the path template, or the name of a webhook
 */
export function derivedId(method: string, path: string): string {
  const words = path.split('/').map((segment) => segment.replaceAll(/\{([^}]+)\}/g, ' by $1'));
  return method + pascalCase(words.join(' '));
}

/** `get-stations`, `repos/get` and `getUser` become `GetStations`, `ReposGet` and `GetUser`. */
export function pascalCase(text: string): string {
  return text
    .split(/[^\p{L}\p{N}]+/u)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

/** `GetUser` becomes `getUser`. */
export function camelCase(text: string): string {
  const pascal = pascalCase(text);
  return pascal.charAt(0).toLowerCase() + pascal.slice(1);
}

/**
 * A type name for each operationId. Ids that differ only in punctuation get a number.
 *
 * @throws when two operations share an id
 */
export function typeNames(
  operations: readonly { readonly id: string; readonly pointer: string }[],
): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const { id, pointer } of operations) {
    if (names.has(id)) throw new Error(`${pointer}: another operation has the operationId ${id}`);
    const stem = /^\p{L}/u.test(id) ? pascalCase(id) : `Operation${pascalCase(id)}`;
    let name = stem;
    for (let n = 2; taken.has(name); n += 1) name = `${stem}${n}`;
    taken.add(name);
    names.set(id, name);
  }
  return names;
}
