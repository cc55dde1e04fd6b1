/**
 * Checks that arguments have the shapes of their schemas, before they become texts: `["4"]` and `4` become the same text, so the
 * engine could not refuse the wrong one. The engine checks everything else.
 */

import { Problem } from '../index.js';
import { reached } from '../contract/reached.js';
import { type Node, isNode, resolve } from './openapi-document.js';

const ALL = ['null', 'boolean', 'number', 'string', 'array', 'object'] as const;
type JsonType = (typeof ALL)[number];

const SCALARS: ReadonlySet<string> = new Set(['boolean', 'number', 'string']);

/** The types that a schema allows; all types if the schema does not limit them. @param known - the types of the schemas inside it */
export function typesOf(
  document: Node,
  schema: unknown,
  known = new Map<Node, ReadonlySet<JsonType>>(),
): ReadonlySet<JsonType> {
  if (schema === false) return new Set();
  if (!isNode(schema)) return new Set(ALL);
  const found = known.get(schema);
  if (found !== undefined) return found;
  // A schema that contains itself does not limit the types by that.
  known.set(schema, new Set(ALL));
  const below = (each: unknown): ReadonlySet<JsonType> => typesOf(document, each, known);
  const either = (list: unknown): Iterable<JsonType> =>
    Array.isArray(list) && list.length > 0 ? list.flatMap((each) => [...below(each)]) : ALL;
  const { type, nullable, allOf, anyOf, oneOf, not, $ref } = schema;
  const named = [type].flat().map((each) => (each === 'integer' ? 'number' : each)) as JsonType[];
  const rules: readonly Iterable<JsonType>[] = [
    type === undefined ? ALL : [...named, ...(nullable === true ? (['null'] as const) : [])],
    'const' in schema ? [typeOf(schema['const'])] : ALL,
    Array.isArray(schema['enum']) ? schema['enum'].map(typeOf) : ALL,
    typeof $ref === 'string' ? below(resolve(document, schema)) : ALL,
    either(anyOf),
    either(oneOf),
    // `not: {}` means the same as `false`.
    not === true || (isNode(not) && Object.keys(not).length === 0) ? [] : ALL,
    ...(Array.isArray(allOf) ? allOf.map(below) : []),
  ];
  const sets = rules.map((rule) => new Set(rule));
  const types = new Set(ALL.filter((each) => sets.every((set) => set.has(each))));
  known.set(schema, types);
  return types;
}

function typeOf(value: unknown): JsonType {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : (typeof value as JsonType);
}

/** Whether a schema has integers that a number cannot hold exactly; models send their digits as a string. */
export function isLong({ type, format }: Node): boolean {
  return (format === 'int64' || format === 'uint64') && [type].flat().includes('integer');
}

/**
 * The argument to send, with bigints for long integers that the model gave as digits.
 *
 * @param schema - the schema of the argument
 * @param hasShape - whether the shape must be checked here, because the argument becomes a text that does not show its shape
 * @throws a 400 `Problem` for a value of another shape, and for an integer that may have been rounded
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
    const nodes = alternatives(document, schemas);
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
  // Any scalar fits any scalar type: the engine converts the text and checks its type.
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

/** Schemas, and the schemas that they refer to or combine, each once. */
function alternatives(document: Node, schemas: readonly unknown[]): readonly Node[] {
  const next = (schema: unknown): readonly unknown[] => {
    if (!isNode(schema)) return [];
    const { allOf, anyOf, oneOf, $ref } = schema;
    const inner = [allOf, anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []));
    return typeof $ref === 'string' ? [...inner, resolve(document, schema)] : inner;
  };
  return [...reached(schemas, next)].filter(isNode);
}

function memberOf({ properties, additionalProperties }: Node, key: string): readonly unknown[] {
  if (isNode(properties) && Object.hasOwn(properties, key)) return [properties[key]];
  return isNode(additionalProperties) ? [additionalProperties] : [];
}

/** The maximum nesting of arrays and objects: writing a deeper value would need too much stack. */
const MOST_NESTED = 1000;

/** Whether a value is nested too deeply to be sent. This check does not recurse. */
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
