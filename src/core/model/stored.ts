/** The fields that an application's contract adds to our records: their types, what the contract says of them, and their values. */
import { type InputPart, invalidInput, ServiceError } from './error.js';
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

/**
 * The values that a change writes: an undefined one is removed, and those that are not given stay. A function makes them of the values
 * before, in the step of the write, which it refuses by undefined. It has no other effects, because it may be called again.
 */
export type StoredChange<Name extends RecordName> =
  StoredOf<Name> | ((before: StoredOf<Name>) => StoredOf<Name> | undefined) | undefined;

/** The values that a change of a record writes, which has some before; `invalid` if its function refuses. */
export function valuesOf(
  given: StoredValues | ((before: never) => StoredValues | undefined) | undefined,
  before: StoredValues = {},
): StoredValues | 'invalid' | undefined {
  return typeof given === 'function' ? (given(before as never) ?? 'invalid') : given;
}

/** The properties that the contract gives a field, beside its schema. */
export interface StoredField {
  /** Shown for a record that has no value. */
  readonly default?: JsonValue;
  /** Requests have it. Records from before the field, and those of code that calls the services, may lack it. */
  readonly required?: true;
  readonly readOnly?: true;
  readonly writeOnly?: true;
  /** Whether lists can be filtered by it. */
  readonly filter?: true;
  /** @returns why the schema refuses a value; undefined if it fits */
  readonly refusal?: (value: unknown) => string | undefined;
}

/** The fields of the records that have any. */
export type KeptFields = { readonly [Name in RecordName]?: Readonly<Record<string, StoredField>> };

/** A storage that keeps the fields of a contract; one without `stored` keeps none. */
export interface KeepsFields {
  readonly ownFields?: KeptFields | undefined;
}

/** A generated contract, whose overlay may add fields. */
export interface FieldsContract {
  readonly extensions?: Readonly<Record<string, unknown>>;
  /** The checks of the values, by record and field, and what explains their refusals. */
  readonly stored?: {
    readonly checks: Readonly<Record<string, Readonly<Record<string, Check>>>>;
    failureOf(check: Check, value: unknown, subject: string): string;
  };
}

type Check = (value: unknown) => boolean;

/** The fields that the overlays of a contract add, with `x-stored`; undefined if they add none. */
export function keptFieldsOf(contract: FieldsContract | undefined): KeptFields | undefined {
  const stored = contract?.stored;
  const records = contract?.extensions?.['x-records'] as
    Partial<Record<RecordName, { readonly stored?: KeptFields[RecordName] }>> | undefined;
  const kept = recordNames.flatMap((name) => {
    const fields = records?.[name]?.stored;
    if (fields === undefined) return [];
    const checked = Object.entries(fields).map(([field, facts]): [string, StoredField] => {
      const check = stored?.checks[name]?.[field];
      if (stored === undefined || check === undefined) return [field, facts];
      const refusal = (value: unknown) => (check(value) ? undefined : stored.failureOf(check, value, field));
      return [field, { ...facts, refusal }];
    });
    return [[name, Object.fromEntries(checked)] as const];
  });
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

type FieldForm = 'given' | 'whole' | 'changed' | 'created' | 'all';

/**
 * The values of the fields in an input of a caller, in the order of the contract; undefined if there are none.
 *
 * @param form - `whole`: what the input leaves out is removed; `changed`: what is null in it is removed; `created`: what is null is left out, and what
 *   is required is undefined; `all`: read-only fields count too
 * @throws ServiceError `invalid-input` for a value that is nested too deeply to be hashed or copied
 */
export function givenFields<Name extends RecordName>(
  kept: KeptFields | undefined,
  name: Name,
  input: object,
  form: FieldForm = 'given',
): StoredOf<Name> | undefined {
  const fields: KeptFields[RecordName] = kept?.[name];
  if (fields === undefined) return undefined;
  const given = Object.entries(fields).flatMap(([field, { readOnly, required }]) => {
    if (readOnly === true && form !== 'all') return [];
    const value: unknown = Reflect.get(input, field);
    requireCarriable(field, value);
    if (form === 'created') {
      const made = value ?? undefined;
      return made === undefined && !required ? [] : [[field, made] as const];
    }
    if (value === undefined && form !== 'whole') return [];
    return [[field, form === 'changed' ? (value ?? undefined) : value] as const];
  });
  return given.length === 0 ? undefined : (Object.fromEntries(given) as StoredOf<Name>);
}

/**
 * The values that a query names of the fields that filter a list; undefined if there are none.
 *
 * @throws ServiceError `invalid-input` for a value that the schema of its field refuses
 */
function readFilter(kept: KeptFields | undefined, name: RecordName, query: object): StoredValues | undefined {
  const fields = kept?.[name];
  if (fields === undefined) return undefined;
  const given = Object.entries(fields).flatMap(([field, { filter, refusal }]) => {
    const value = filter && (Reflect.get(query, field) as JsonValue | undefined);
    if (value == null) return [];
    requireFitting(refusal?.(value), 'paging');
    return [[field, value] as const];
  });
  return given.length === 0 ? undefined : Object.fromEntries(given);
}

/** How a handler reads the fields of a record. */
export type FieldReading = readonly [record: RecordName, form: FieldForm | 'filter'];

/** Reads the fields of an input. @throws as {@link givenFields} and `readFilter` */
export function readFields(
  kept: KeptFields | undefined,
  reading: readonly [record: RecordName, form: 'filter'],
  input: object,
): StoredValues | undefined;
export function readFields<Name extends RecordName>(
  kept: KeptFields | undefined,
  reading: readonly [record: Name, form: FieldForm],
  input: object,
): StoredOf<Name> | undefined;
export function readFields(
  kept: KeptFields | undefined,
  [name, form]: FieldReading,
  input: object,
): object | undefined {
  return form === 'filter' ? readFilter(kept, name, input) : givenFields(kept, name, input, form);
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
 * @throws ServiceError `invalid-input` for the first value that its schema refuses or that a store or XML cannot carry, and for a
 *   required one that would be removed
 */
export function checkStored(
  kept: KeptFields | undefined,
  name: RecordName,
  values: StoredValues | null | undefined,
): void {
  const fields: KeptFields[RecordName] = kept?.[name];
  for (const [field, value] of Object.entries(values ?? {})) {
    requireCarriable(field, value);
    const { required, refusal } = fields?.[field] ?? {};
    if (value !== undefined) requireFitting(refusal?.(value), 'fields');
    else if (required) throw new ServiceError('invalid-input', `must have required property '${field}'`);
  }
}

function requireFitting(refusal: string | undefined, part: InputPart): void {
  if (refusal !== undefined) throw new ServiceError('invalid-input', refusal, { part });
}

/** SQLite reads JSON of up to 1,000 levels, and functions that call themselves for each level need the stack. */
const mostLevels = 500;

function requireCarriable(field: string, value: unknown, level = 0): void {
  if (typeof value === 'string' && !onlyCarriable.test(value))
    throw invalidInput(field, 'must not hold control characters, halves of characters or noncharacters');
  // JSON has none. `JSON.parse` makes one of a number such as 1e400, and `JSON.stringify` null of it.
  if (typeof value === 'number' && !Number.isFinite(value))
    throw invalidInput(field, 'must not hold numbers beyond 64 bits');
  if (typeof value !== 'object' || value === null) return;
  if (level === mostLevels)
    throw invalidInput(field, `must not be nested more than ${mostLevels} levels deep`);
  for (const [key, part] of Object.entries(value)) {
    requireCarriable(field, key);
    requireCarriable(field, part, level + 1);
  }
}

/** A record that has values of fields. */
interface WithValues {
  readonly stored?: StoredValues | undefined;
}

/**
 * Gives a record values: an undefined one removes that of the record, and those that are not given stay.
 *
 * @param record - with its earlier values; not frozen yet, because a filter reads copies of records six times as slowly
 */
export function withStored<T extends WithValues>(record: T, given: StoredValues | undefined): T {
  if (given === undefined) return record;
  // Copied, and frozen at any depth, so that no caller can change what is stored.
  const text = JSON.stringify({ ...record.stored, ...given });
  const stored: unknown = JSON.parse(text, (_, value: unknown) => Object.freeze(value));
  return Object.assign(record, { stored });
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

/** An input for a new record, with the values that the contract gives by default. */
export function withDefaults<Input>(input: Input, fields: KeptFields[RecordName]): Input {
  const { stored } = Object(input) as WithValues;
  const added = Object.entries(fields ?? {}).flatMap(([name, { default: value }]) =>
    value === undefined || stored?.[name] !== undefined ? [] : [[name, value] as const],
  );
  return added.length === 0 ? input : { ...input, stored: { ...stored, ...Object.fromEntries(added) } };
}

/** An input without the values that the contract gives by default, as it was sent before their fields were added. */
export function withoutDefaults<T extends WithValues>(input: T, fields: KeptFields[RecordName]): T {
  const own = Object.entries(input.stored ?? {}).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(fields?.[name]?.default),
  );
  return { ...input, stored: own.length === 0 ? undefined : Object.fromEntries(own) };
}
