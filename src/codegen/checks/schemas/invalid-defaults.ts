/** Finds the schemas that refuse their own `default`, or into whose default too many others would be inserted. */

import {
  ContractSchemas,
  type InvalidDefaults,
  type SchemaOptions,
} from '../../contract/schemas/contract-schemas.js';
import { nearestDefault } from '../../contract/schemas/defaults.js';
import { visitSchemas } from '../../contract/schemas/document-structure.js';
import type { Fields, OpenApiDocument } from '../../contract/schemas/document.js';
import { checksAt } from './compile-validators.js';

type Defaults = ReadonlyMap<Fields, string>;

/** @returns the schemas, each with its place */
export async function invalidDefaults(
  document: OpenApiDocument,
  { formats = 'assert' }: SchemaOptions,
): Promise<InvalidDefaults> {
  const schemas = new ContractSchemas(document);
  const all = defaultsOf(document, schemas);
  /** Those that are refused while all but some are inserted. */
  const refused = async (wanted: Defaults, left: Defaults): Promise<Defaults> => {
    const options = { formats, invalidDefaults: left };
    // A fault of the document is found again when its checks are compiled.
    const checks = await checksAt(document, [...wanted.values()], 'request', options).catch(
      () => new Map<string, never>(),
    );
    return new Map([...wanted].filter(([, at]) => !isTaken(checks.get(at), nearestDefault(schemas.at(at)))));
  };
  const found = await refused(all, new Map());
  if (found.size === 0) return found;
  // One that is fit itself may only be refused because of another one, which is inserted into it.
  const certain = await refused(found, all);
  const others = new Map([...found].filter(([schema]) => !certain.has(schema)));
  return new Map([...certain, ...(await refused(others, certain))]);
}

/** The schemas with a default of their own, or of others that they combine: one that only refers to another has what that one has. */
function defaultsOf(document: OpenApiDocument, schemas: ContractSchemas): Defaults {
  const found = new Map<Fields, string>();
  visitSchemas(document, (schema, at) => {
    const isReference = '$ref' in schema && Object.keys(schema).length === 1;
    if (!isReference && hasDefault(schemas, at)) found.set(schema, at);
  });
  return found;
}

function hasDefault(schemas: ContractSchemas, at: string): boolean {
  try {
    return nearestDefault(schemas.at(at)) !== undefined;
  } catch {
    // A reference that leads nowhere is reported by those that follow it later.
    return false;
  }
}

/** The most defaults that are inserted into one: where an object inserts several that do so too, their number doubles with each level. */
const MOST_INSERTED = 1000;

function isTaken(check: ((value: unknown) => boolean) | undefined, value: unknown): boolean {
  try {
    return check?.(countingCopy(value)) !== false;
  } catch (error) {
    // Too many are inserted, without an end where the value that the check inserts has a place for another one.
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** A copy of a value that throws a RangeError when too many members are inserted, at any depth. */
function countingCopy(whole: unknown): unknown {
  let left = MOST_INSERTED;
  const known = new WeakMap<object, unknown>();
  const counting = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (!known.has(value)) known.set(value, new Proxy(value, handler));
    return known.get(value);
  };
  const handler: ProxyHandler<object> = {
    get: (object, name) => counting(Reflect.get(object, name)),
    defineProperty: (object, ...member) => {
      left -= 1;
      if (left < 0) throw new RangeError('too many defaults');
      return Reflect.defineProperty(object, ...member);
    },
  };
  return counting(structuredClone(whole));
}
