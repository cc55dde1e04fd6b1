/**
 * Types that make a forgotten field a compile error, from the contract to the database. In the model and the ports every key is
 * required, and a value that may be absent is `undefined`; these types and functions do the same for the optional keys of the contract,
 * and of the inputs, which people write by hand.
 */

/** An input with these fields: those that may be undefined may be left out. */
export type InputOf<T> = {
  readonly [Field in keyof T as undefined extends T[Field] ? Field : never]?: T[Field];
} & { readonly [Field in keyof T as undefined extends T[Field] ? never : Field]: T[Field] };

/** All fields of a type, none left out: an optional field may be `undefined`. */
export type Complete<T> = {
  readonly [Field in keyof Required<T>]: object extends Pick<T, Field> ? T[Field] | undefined : T[Field];
};

/**
 * Makes a record of the contract from all of its fields. A missing field does not compile.
 *
 * @param fields fields that are `undefined` are not encoded
 *
 * @example
 * ```ts
 * const category = complete<components['schemas']['Category']>({ id, name });
 * ```
 */
export function complete<T>(fields: Complete<T>): T {
  // `exactOptionalPropertyTypes` distinguishes an absent key from an undefined one; JSON and XML do not.
  return fields as T;
}

/**
 * States that all fields of some objects were read: the rest of each destructuring must be empty.
 *
 * @example
 * ```ts
 * const { page, limit, ...others } = query;
 * allRead(others); // does not compile when the query gets another parameter
 * ```
 */
export const allRead: (...others: readonly Readonly<Record<string, never>>[]) => void = () => undefined;

/**
 * Leaves out read-only fields, which clients may send back with a record but not change.
 *
 * @example
 * ```ts
 * const input = withoutReadOnly(body, 'id', 'createdAt');
 * ```
 */
export function withoutReadOnly<T extends object, Name extends keyof T>(
  record: T,
  ...names: readonly Name[]
): Omit<T, Name> {
  const fields = { ...record };
  for (const name of names) Reflect.deleteProperty(fields, name);
  return fields;
}

/** A copy with only the named fields. */
export function pick<T extends object, Name extends keyof T>(
  record: T,
  names: readonly Name[],
): Pick<T, Name> {
  const fields: Partial<Pick<T, Name>> = {};
  for (const name of names) fields[name] = record[name];
  return fields as Pick<T, Name>;
}

/** States that a part of a request is read elsewhere, not by its operation. */
export const readElsewhere: (...parts: readonly object[]) => void = () => undefined;

/** The handlers and resolvers of the core, by their names: one that an application wraps or replaces is another function. */
const ofTheCore = new WeakMap<object, string>();

/** Remembers handlers or resolvers as those of the core, for {@link requireRead}. */
export function rememberHandlers(handlers: Readonly<Record<string, object>>): void {
  for (const [name, handler] of Object.entries(handlers)) ofTheCore.set(handler, name);
}

/**
 * Refuses an application's contract that adds a field to a request which a handler of the core would receive without reading it.
 *
 * @param handlers - those that serve the contract, by their names in it
 * @param fieldsOf - the names of the fields that a request for a handler may have, in the contract of the core and in the extended one,
 *   and of the stored fields that the handler reads with all that is in them
 * @throws an error that names the handler and the field
 */
export function requireRead(
  handlers: Readonly<Record<string, object>>,
  fieldsOf: Readonly<Record<'core' | 'extended', (name: string) => ReadonlySet<string>>> & {
    readonly own: (name: string) => readonly string[];
  },
): void {
  for (const [name, handler] of Object.entries(handlers)) {
    const own = ofTheCore.get(handler);
    if (own === undefined) continue;
    const read = fieldsOf.core(own);
    const known = fieldsOf.own(own);
    const lost = [...fieldsOf.extended(name)].find(
      (field) => !read.has(field) && !known.some((each) => `${field}/`.startsWith(`${each}/`)),
    );
    if (lost !== undefined) {
      throw new Error(
        `${name}: the handler of the core does not read ${lost}; replace the handler, or leave the field out`,
      );
    }
  }
}
