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

/** `get-stations`, `repos/get` and `getUser` become `GetStations`, `ReposGet` and `GetUser`. What no identifier may hold is left out. */
export function pascalCase(text: string): string {
  return text
    .split(/[^\p{L}\p{Nd}]+/u)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

/** `GetUser` becomes `getUser`. */
export function camelCase(text: string): string {
  const pascal = pascalCase(text);
  return pascal.charAt(0).toLowerCase() + pascal.slice(1);
}

/** What an operation is named after. */
interface Unnamed {
  readonly operationId: string | undefined;
  readonly method: string;
  readonly path: string;
}

/**
 * Gives every operation its id and a type name. An operation without an operationId gets one made of method and path; what
 * is made gets a number where the name is taken, so that an operationId of the contract always stands.
 */
export function withNames<Operation extends Unnamed>(
  operations: readonly Operation[],
): readonly (Operation & { readonly id: string; readonly typeName: string })[] {
  const ids = new Set(operations.flatMap(({ operationId }) => operationId ?? []));
  const typeNames = new Set<string>();
  return operations.map((operation) => {
    const { operationId, method, path } = operation;
    const id = operationId ?? freeName(derivedId(method.toLowerCase(), path), ids);
    const stem = /^\p{L}/u.test(id) ? pascalCase(id) : `Operation${pascalCase(id)}`;
    return { ...operation, id, typeName: freeName(stem, typeNames) };
  });
}

/** The stem, or the stem with the first number from 2 that is free; it is taken from then on. */
function freeName(stem: string, taken: Set<string>): string {
  let name = stem;
  for (let n = 2; taken.has(name); n += 1) name = `${stem}${n}`;
  taken.add(name);
  return name;
}
