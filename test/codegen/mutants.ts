/** Documents with one wrong value, at each kind of place that a document has. */

import { words } from '../../src/codegen/text/identifiers.js';

/** One change of a document. */
export interface Mutant {
  readonly path: readonly string[];
  /** What is put there; undefined where the member is removed. */
  readonly value: unknown;
}

/** Values that are wrong nearly everywhere. */
const WRONG: readonly unknown[] = [
  undefined,
  null,
  5,
  'text',
  true,
  false,
  [],
  {},
  [1],
  ['a'],
  [true],
  { a: true },
  { $ref: '#/nowhere' },
  { $ref: 5 },
  { $ref: '#/components' },
  { $ref: '#' },
];

/** Fields whose members have names. */
const MAPS = new Set(
  words(`paths webhooks schemas responses parameters requestBodies headers securitySchemes links callbacks
    pathItems mediaTypes properties patternProperties $defs definitions dependentSchemas dependentRequired
    mapping scopes variables content encoding examples additionalOperations`),
);

/** Every place of a document, and its kind: the last three fields of its path, without names and numbers. */
export function* placesOf(
  value: unknown,
  path: readonly string[] = [],
  kinds: readonly string[] = [],
  isMap = false,
): Generator<{ readonly path: readonly string[]; readonly kind: string }> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    const isNamed = isMap || Array.isArray(value);
    const all = [...kinds, isNamed ? '*' : name];
    yield { path: [...path, name], kind: all.slice(-3).join('/') };
    yield* placesOf(member, [...path, name], all, !isNamed && MAPS.has(name));
  }
}

/** Every wrong value at some places. */
export function mutantsAt(paths: Iterable<readonly string[]>): readonly Mutant[] {
  return [...paths].flatMap((path) => WRONG.map((value) => ({ path, value })));
}

/** A copy of the document with the change. */
export function mutated(document: object, { path, value }: Mutant): object {
  const copy = structuredClone(document);
  let owner = copy as Record<string, unknown>;
  for (const name of path.slice(0, -1)) owner = owner[name] as Record<string, unknown>;
  const name = path.at(-1) ?? '';
  if (value !== undefined) owner[name] = value;
  else if (Array.isArray(owner)) owner.splice(Number(name), 1);
  else Reflect.deleteProperty(owner, name);
  return copy;
}
