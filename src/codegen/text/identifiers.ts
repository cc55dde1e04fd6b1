/** Names in generated code, such as those of operations and their types, each unique in its scope. */

/** The names in a text that lists them. */
export function words(text: string): readonly string[] {
  return text.split(/\s+/);
}

/** Words that cannot be identifiers (ECMA-262 §12.7.2), and two that strict code does not allow. */
export const RESERVED_WORDS =
  words(`arguments await break case catch class const continue debugger default delete do else enum eval export extends false
  finally for function if implements import in instanceof interface let new null package private protected public return
  static super switch this throw true try typeof undefined var void while with yield`);

/** Takes the stem, or the stem with the first free number from 2. */
export function freeName(stem: string, taken: Set<string>, separator = ''): string {
  let name = stem;
  for (let n = 2; taken.has(name); n += 1) name = `${stem}${separator}${n}`;
  taken.add(name);
  return name;
}

/** Takes the first free identifier of a stem. Every name in generated code that is made of names of a contract comes from here. */
export function freeIdentifier(stem: string, taken: Set<string>, separator = ''): string {
  return freeName(identifierOf(stem), taken, separator);
}

/** A text as an identifier: without the characters that none may have, and after a `_` where none may begin so, or it is a reserved word. */
function identifierOf(text: string): string {
  const kept = text.replaceAll(/[^\p{ID_Continue}$]+/gu, '');
  return /^[\p{ID_Start}$_]/u.test(kept) && !RESERVED_WORDS.includes(kept) ? kept : `_${kept}`;
}

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

/** `get-stations`, `repos/get` and `getUser` become `GetStations`, `ReposGet` and `GetUser`. Characters that no identifier may have are left out. */
export function pascalCase(text: string): string {
  return text
    .split(/(?:[^\p{L}\p{Nd}]|\p{Pattern_Syntax})+/u)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

/** `GetUser` becomes `getUser`. */
export function camelCase(text: string): string {
  const pascal = pascalCase(text);
  return pascal.charAt(0).toLowerCase() + pascal.slice(1);
}

/** The parts of an operation that its name is derived from. */
interface Unnamed {
  readonly operationId: string | undefined;
  readonly method: string;
  readonly path: string;
}

/**
 * Gives every operation an id and a type name. An operation without an operationId, or with that of an earlier one, gets one derived
 * from method and path. A derived name that is taken gets a number, so that an operationId of the contract is never changed.
 *
 * @param typeNames - the names that are taken; those of the operations are added
 */
export function withNames<Operation extends Unnamed>(
  operations: readonly Operation[],
  typeNames = new Set<string>(),
): readonly (Operation & { readonly id: string; readonly typeName: string })[] {
  const ids = new Set(operations.flatMap(({ operationId }) => operationId ?? []));
  const given = new Set<string>();
  return operations.map((operation) => {
    const { operationId, method, path } = operation;
    const isOwn = operationId !== undefined && !given.has(operationId);
    const id = isOwn ? operationId : freeName(derivedId(method.toLowerCase(), path), ids);
    given.add(id);
    return { ...operation, id, typeName: freeName(typeNameOf(id), typeNames) };
  });
}

/** An id in PascalCase, as an identifier. */
export function typeNameOf(id: string): string {
  return /^\p{L}/u.test(id) ? pascalCase(id) : `Operation${pascalCase(id)}`;
}

/** `GetUserV2` becomes `get-user-v2`. */
export function kebabCase(pascal: string): string {
  return pascal.replaceAll(/(?<=[\p{Ll}\p{Nd}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, '-').toLowerCase();
}
