/** The fields that an application's contract adds to our records: their types, what the contract says of them, and their values. */
import { invalidInput } from './error.js';
import { onlyCarriable } from './text.js';

export type JsonValue =
  null | boolean | number | string | readonly JsonValue[] | { readonly [name: string]: JsonValue };

/** The types of the fields by record. The `openapi.ts` that is generated from an overlay adds them here. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- applications extend it
export interface StoredFields {}

/** The records that an overlay may give fields. */
export const recordNames = ['User', 'Product', 'Order', 'Post', 'Comment', 'Category'] as const;
export type RecordName = (typeof recordNames)[number];

/** The values of the fields of a record. Records that are older than a field have no value of it. */
export type StoredOf<Name extends RecordName> = Name extends keyof StoredFields
  ? { readonly [Field in keyof StoredFields[Name]]?: StoredFields[Name][Field] | undefined }
  : StoredValues;

export type StoredValues = Readonly<Record<string, JsonValue | undefined>>;

/** The properties that the contract gives a field, beside its schema. */
export interface StoredField {
  /** Shown for a record that has no value. */
  readonly default?: JsonValue;
  readonly readOnly?: true;
  readonly writeOnly?: true;
  /** Whether lists can be filtered by it. */
  readonly filter?: true;
}

/** The fields of the records that have any. */
export type KeptFields = { readonly [Name in RecordName]?: Readonly<Record<string, StoredField>> };

/** A storage that keeps the fields of a contract; one without `stored` keeps none. */
export interface KeepsFields {
  readonly stored?: KeptFields | undefined;
}

/** A generated contract, whose overlay may add fields. */
export interface FieldsContract {
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** The fields that the overlays of a contract add, with `x-stored`; undefined if they add none. */
export function keptFieldsOf(contract: FieldsContract | undefined): KeptFields | undefined {
  const records = contract?.extensions?.['x-records'] as
    Partial<Record<RecordName, { readonly stored?: KeptFields[RecordName] }>> | undefined;
  const kept = recordNames.flatMap((name) => {
    const fields = records?.[name]?.stored;
    return fields === undefined ? [] : [[name, fields] as const];
  });
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

/**
 * The values of the fields in an input of a caller, in the order of the contract; undefined if there are none.
 *
 * @param form - `whole`: what the input leaves out is removed; `changed`: what is null in it is removed; `all`: read-only fields count too
 */
export function givenFields<Name extends RecordName>(
  kept: KeptFields | undefined,
  name: Name,
  input: object,
  form: 'given' | 'whole' | 'changed' | 'all' = 'given',
): StoredOf<Name> | undefined {
  const fields: KeptFields[RecordName] = kept?.[name];
  if (fields === undefined) return undefined;
  const given = Object.entries(fields).flatMap(([field, { readOnly }]) => {
    const value: unknown = Reflect.get(input, field);
    if ((readOnly === true && form !== 'all') || (value === undefined && form !== 'whole')) return [];
    return [[field, form === 'changed' ? (value ?? undefined) : value] as const];
  });
  return given.length === 0 ? undefined : (Object.fromEntries(given) as StoredOf<Name>);
}

/** The values that a query names of the fields that filter a list; undefined if there are none. */
export function givenFilter(
  kept: KeptFields | undefined,
  name: RecordName,
  query: object,
): StoredValues | undefined {
  const fields = kept?.[name];
  if (fields === undefined) return undefined;
  const given = Object.entries(fields).flatMap(([field, { filter }]) => {
    const value = filter && (Reflect.get(query, field) as JsonValue | undefined);
    return value == null ? [] : [[field, value] as const];
  });
  return given.length === 0 ? undefined : Object.fromEntries(given);
}

/** The values that callers may see, by the contract of today. */
export function shownFields(
  kept: KeptFields | undefined,
  name: RecordName,
  { stored }: WithValues,
): StoredValues {
  const shown = Object.entries(kept?.[name] ?? {}).flatMap(([field, { writeOnly, default: otherwise }]) => {
    const value = stored?.[field] === undefined ? otherwise : stored[field];
    return writeOnly === true || value === undefined ? [] : [[field, value] as const];
  });
  return Object.fromEntries(shown);
}

/** Adds the values that callers may see to the answers with a record. Without fields it is the same function. */
export function showing<Given extends WithValues, Answer extends object, Others extends unknown[]>(
  kept: KeptFields | undefined,
  name: RecordName,
  answer: (record: Given, ...others: Others) => Answer,
): typeof answer {
  if (kept?.[name] === undefined) return answer;
  return (record, ...others) => ({ ...answer(record, ...others), ...shownFields(kept, name, record) });
}

/**
 * @param written - a record with values of fields, several values, or anything else
 * @throws ServiceError `invalid-input` for the first field with a text that a store or XML cannot carry
 */
export function checkStored(written: unknown): void {
  if (typeof written !== 'object' || written === null) return;
  const values: readonly unknown[] = Array.isArray(written) ? written : [Reflect.get(written, 'stored')];
  for (const [name, value] of values.flatMap((each) => Object.entries(each ?? {}))) {
    JSON.stringify(value, (key, part: unknown) => {
      if (!onlyCarriable.test(key) || (typeof part === 'string' && !onlyCarriable.test(part)))
        throw invalidInput(name, 'must not hold control characters, halves of characters or noncharacters');
      return part;
    });
  }
}

/** A record that has values of fields. */
interface WithValues {
  readonly stored?: StoredValues | undefined;
}

/**
 * A record after values were given: an undefined one removes that of the record, and those that are not given stay.
 *
 * @param record - with its earlier values
 */
export function withStored<T extends WithValues>(record: T, given: StoredValues | undefined): T {
  if (given === undefined) return record;
  // Copied, and frozen at any depth, so that no caller can change what is stored.
  const text = JSON.stringify({ ...record.stored, ...given });
  const stored: unknown = JSON.parse(text, (_, value: unknown) => Object.freeze(value));
  return { ...record, stored };
}

/** Whether a record has these values. A record without a value has the default. @param fields - of the record */
export function hasStored(
  { stored }: WithValues,
  filter: StoredValues | undefined,
  fields: KeptFields[RecordName],
): boolean {
  return Object.entries(filter ?? {}).every(
    ([name, value]) => (stored?.[name] ?? fields?.[name]?.default) === value,
  );
}
