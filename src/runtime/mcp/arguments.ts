/**
 * Holds arguments to the shapes of their schemas, before they become texts: `["4"]` is written as `4` is, and the engine could not
 * refuse it. Everything else is the engine's to check.
 */

import { Problem } from '../index.js';
import { type Node, isNode, resolve } from './openapi-document.js';

const ALL = ['null', 'boolean', 'number', 'string', 'array', 'object'] as const;
type JsonType = (typeof ALL)[number];

const SCALARS: ReadonlySet<string> = new Set(['boolean', 'number', 'string']);

/** How many schemas may be inside each other at one place, because they may be recursive. */
const DEPTH = 8;

/** The types that a value of a schema may have; all where the schema does not say, or is too deep. */
export function typesOf(document: Node, schema: unknown, depth = DEPTH): ReadonlySet<JsonType> {
  if (schema === false) return new Set();
  if (!isNode(schema) || depth === 0) return new Set(ALL);
  const below = (each: unknown): ReadonlySet<JsonType> => typesOf(document, each, depth - 1);
  const either = (list: unknown): Iterable<JsonType> =>
    Array.isArray(list) && list.length > 0 ? list.flatMap((each) => [...below(each)]) : ALL;
  const { type, nullable, allOf, anyOf, oneOf, $ref } = schema;
  const named = [type].flat().map((each) => (each === 'integer' ? 'number' : each)) as JsonType[];
  const rules: readonly Iterable<JsonType>[] = [
    type === undefined ? ALL : [...named, ...(nullable === true ? (['null'] as const) : [])],
    'const' in schema ? [typeOf(schema['const'])] : ALL,
    Array.isArray(schema['enum']) ? schema['enum'].map(typeOf) : ALL,
    typeof $ref === 'string' ? below(resolve(document, schema)) : ALL,
    either(anyOf),
    either(oneOf),
    ...(Array.isArray(allOf) ? allOf.map(below) : []),
  ];
  return new Set(ALL.filter((each) => rules.every((rule) => new Set(rule).has(each))));
}

function typeOf(value: unknown): JsonType {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : (typeof value as JsonType);
}

/** Whether a schema is of integers that a number may not hold, of which models send the digits as a string. */
export function isLong({ type, format }: Node): boolean {
  return (format === 'int64' || format === 'uint64') && [type].flat().includes('integer');
}

/**
 * An argument as it is sent, with bigints for long integers that are given as digits.
 *
 * @param schema - of the argument
 * @param hasShape - whether the argument becomes a text that does not show its shape
 * @throws a 400 `Problem` for a value of another shape, and for an integer that has been rounded on its way
 */
export function argumentOf(
  document: Node,
  schema: unknown,
  name: string,
  given: unknown,
  hasShape: boolean,
): unknown {
  function adapted(value: unknown, schemas: readonly unknown[], place: string): unknown {
    if (schemas.length === 0) return value;
    if (hasShape) requireShape(document, schemas, value, place);
    const nodes = schemas.flatMap((each) => alternatives(document, each));
    if (Array.isArray(value)) {
      const items = nodes.flatMap((node) => node['items'] ?? []);
      return value.map((each, index) => adapted(each, items, `${place}/${String(index)}`));
    }
    if (isNode(value)) {
      const members = Object.entries(value).map(([key, each]) => [
        key,
        adapted(
          each,
          nodes.flatMap((node) => memberOf(node, key)),
          `${place}/${key}`,
        ),
      ]);
      return Object.fromEntries(members);
    }
    return nodes.some(isLong) ? longOf(value, nodes, place) : value;
  }
  return adapted(given, [schema], name);
}

function requireShape(document: Node, schemas: readonly unknown[], value: unknown, place: string): void {
  const types = new Set(schemas.flatMap((each) => [...typesOf(document, each)]));
  const type = typeOf(value);
  // A text shows which scalar it is of, and the engine converts it.
  const fits = SCALARS.has(type) ? [...types].some((each) => SCALARS.has(each)) : types.has(type);
  if (!fits) throw new Problem(400, `${place} must be ${[...types].join(' or ')}`);
}

function longOf(value: unknown, nodes: readonly Node[], place: string): unknown {
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new Problem(400, `${place} must be a string of digits: a number of this size is rounded`);
  }
  const isText = nodes.some(({ type }) => [type].flat().includes('string'));
  return typeof value === 'string' && !isText && /^-?\d{1,20}$/.test(value) ? BigInt(value) : value;
}

/** A schema, and those that it refers to or is made of. */
function alternatives(document: Node, schema: unknown, depth = DEPTH): readonly Node[] {
  if (!isNode(schema) || depth === 0) return [];
  const { allOf, anyOf, oneOf, $ref } = schema;
  const inner = [allOf, anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []));
  if (typeof $ref === 'string') inner.push(resolve(document, schema));
  return [schema, ...inner.flatMap((each) => alternatives(document, each, depth - 1))];
}

function memberOf({ properties, additionalProperties }: Node, key: string): readonly unknown[] {
  if (isNode(properties) && Object.hasOwn(properties, key)) return [properties[key]];
  return isNode(additionalProperties) ? [additionalProperties] : [];
}

/** How many arrays and objects may be inside each other: writing a deeper value would need too much stack. */
const MOST_NESTED = 1000;

/** Whether a value is nested too deeply to be sent. It takes no stack itself. */
export function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MOST_NESTED) return true;
    level = level.flatMap((each) =>
      typeof each === 'object' && each !== null ? Object.values(each as Node) : [],
    );
  }
  return false;
}
