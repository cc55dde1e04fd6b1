/** Changes of the application's own fields that depend on the values before: amounts to add, and merge patches. */
import { conflict, invalidInput, ServiceError } from '../../model/error.js';
import type {
  JsonValue,
  KeptFields,
  RecordName,
  StoredChange,
  StoredFields,
  StoredOf,
  StoredValues,
} from '../../model/stored.js';

/** Amounts to add to the fields of a record that are numbers. */
export type Amounts<Name extends RecordName> = Name extends keyof StoredFields
  ? {
      readonly [Field in keyof StoredFields[Name]]?: Extract<StoredFields[Name][Field], number> extends never
        ? never
        : number;
    }
  : Readonly<Record<string, number>>;

/**
 * Adds amounts to the values of fields. One without a value has its default, else 0.
 *
 * @throws ServiceError `invalid-input` for a field that the record does not have and an amount that is no number. The change throws it
 *   for a sum that is not exact, and `conflict` for a value that is no number
 */
export function increased<Name extends RecordName>(
  kept: KeptFields | undefined,
  name: Name,
  amounts: Amounts<Name>,
): (before: StoredOf<Name>) => StoredOf<Name> {
  const added = Object.entries<number>(amounts).map(([field, amount]) => {
    const fields: KeptFields[RecordName] = kept?.[name];
    if (fields === undefined || !Object.hasOwn(fields, field))
      throw invalidInput(field, `must be a stored field of ${name}`);
    if (!Number.isFinite(amount)) throw invalidInput(field, 'must be increased by a number');
    return { field, amount, otherwise: fields[field]?.default ?? 0 };
  });
  return (before: StoredValues) => {
    const sums = added.map(({ field, amount, otherwise }) => {
      const value = before[field] ?? otherwise;
      if (typeof value !== 'number') throw conflict(`${field} is not a number in this record`);
      const sum = value + amount;
      // The sum of an odd one and 1 is itself, for instance.
      if (Number.isInteger(amount) && Number.isInteger(sum) && !Number.isSafeInteger(sum))
        throw invalidInput(field, 'must be a whole number of at most 2^53');
      return [field, sum] as const;
    });
    return Object.fromEntries(sums) as StoredOf<Name>;
  };
}

/** Makes values of a record of those before; it throws a `ServiceError` to refuse the write. */
export type MakesValues = (before: never) => StoredValues | undefined;

/** Why functions of changes have refused. */
const refusals = new WeakMap<object, ServiceError>();

/** A function for a store, which does not know of errors. @param check - of the values that are made */
export function checkedChange(make: MakesValues, check: (made: StoredValues) => void): MakesValues {
  const checked: MakesValues = (before) => {
    try {
      const made = make(before) ?? {};
      check(made);
      return made;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      refusals.set(checked, error);
      return undefined;
    }
  };
  return checked;
}

/** The outcome of a change. @throws the error with which its function has refused */
export function unlessInvalid<Outcome>(
  outcome: Outcome,
  { stored }: { readonly stored?: unknown },
): Exclude<Outcome, 'invalid'> {
  if (outcome === 'invalid')
    throw refusals.get(Object(stored) as object) ?? invalidInput('stored', 'is not valid');
  return outcome as Exclude<Outcome, 'invalid'>;
}

/**
 * The values of a merge patch (RFC 7396), of which undefined ones remove those of the record. An object is merged into the one that the
 * record has, or has by default.
 */
export function mergePatch<Name extends RecordName>(
  kept: KeptFields | undefined,
  name: Name,
  patch: StoredOf<Name> | undefined,
): StoredChange<Name> {
  const values = Object.entries((patch ?? {}) as StoredValues);
  if (!values.some(([, value]) => isObject(value))) return patch;
  const fields: KeptFields[RecordName] = kept?.[name];
  return (before: StoredValues) => {
    const merged = values.map(([field, value]) => [
      field,
      isObject(value) ? mergedInto(before[field] ?? fields?.[field]?.default, value) : value,
    ]);
    return Object.fromEntries(merged) as StoredOf<Name>;
  };
}

type JsonObject = Extract<JsonValue, Readonly<Record<string, unknown>>>;

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function mergedInto(target: JsonValue | undefined, patch: JsonObject): JsonObject {
  // To set a member of the name __proto__ would set the prototype.
  const members = new Map(isObject(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) members.delete(name);
    else members.set(name, isObject(value) ? mergedInto(members.get(name), value) : value);
  }
  return Object.fromEntries(members);
}
