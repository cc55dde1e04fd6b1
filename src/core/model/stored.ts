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

/** What the contract says of a field. */
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
    Readonly<Record<RecordName, { readonly stored?: KeptFields[RecordName] }>> | undefined;
  const kept = recordNames.flatMap((name) => {
    const fields = records?.[name].stored;
    return fields === undefined ? [] : [[name, fields] as const];
  });
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

/** @throws ServiceError `invalid-input` for the first field with a text that a store or XML cannot carry */
export function checkStored(stored: StoredValues | undefined): void {
  for (const [name, value] of Object.entries(stored ?? {})) {
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
