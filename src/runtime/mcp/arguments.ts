/**
 * Checks that arguments have the shapes of their schemas, before they become texts: `["4"]` and `4` become the same text, so the
 * engine could not refuse the wrong one. The engine checks everything else.
 */

import { Problem } from '../index.js';
import { reached } from '../contract/reached.js';
import { DIGITS, isLong, typeOf, typesOf } from '../failures/json-types.js';
import { isObject, unescaped } from '../failures/json-value.js';

/** A JSON object. */
export type Node = Readonly<Record<string, unknown>>;

const SCALARS: ReadonlySet<string> = new Set(['boolean', 'number', 'string']);

/**
 * The argument to send, with bigints for long integers that the model gave as digits.
 *
 * @param root - the schema of all arguments, which has the definitions
 * @param schema - the schema of the argument
 * @param hasShape - whether the shape must be checked here, because the argument becomes a text that does not show its shape
 * @throws a 400 `Problem` for a value of another shape, and for an integer that may have been rounded
 */
export function argumentOf(
  root: Node,
  schema: unknown,
  name: string,
  given: unknown,
  hasShape: boolean,
): unknown {
  function adapted(value: unknown, schemas: readonly unknown[], place: string): unknown {
    if (schemas.length === 0) return value;
    if (hasShape) requireShape(root, schemas, value, place);
    const nodes = alternatives(root, schemas);
    if (Array.isArray(value)) {
      const items = nodes.flatMap((node) => node['items'] ?? []);
      return value.map((each, index) => adapted(each, items, `${place}/${String(index)}`));
    }
    if (isObject(value)) {
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

function requireShape(root: Node, schemas: readonly unknown[], value: unknown, place: string): void {
  const types = new Set(
    schemas.flatMap((each) => [...typesOf(each, (reference) => targetOf(root, reference))]),
  );
  const type = typeOf(value);
  // Any scalar fits any scalar type: the engine converts the text and checks its type.
  const fits = SCALARS.has(type) ? [...types].some((each) => SCALARS.has(each)) : types.has(type);
  if (!fits) throw new Problem(400, `${place} must be ${[...types].join(' or ')}`);
}

function longOf(value: unknown, nodes: readonly Node[], place: string): unknown {
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new Problem(400, `${place} must be a string of digits: a number of this size is rounded`);
  }
  const isText = nodes.some(({ type, pattern }) => pattern !== DIGITS && [type].flat().includes('string'));
  return typeof value === 'string' && !isText && /^-?\d{1,20}$/.test(value) ? BigInt(value) : value;
}

/** Schemas, and the schemas that they refer to or combine, each once. */
function alternatives(root: Node, schemas: readonly unknown[]): readonly Node[] {
  const next = (schema: unknown): readonly unknown[] => {
    if (!isObject(schema)) return [];
    const { allOf, anyOf, oneOf, $ref } = schema;
    const inner = [allOf, anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []));
    return typeof $ref === 'string' ? [...inner, targetOf(root, $ref)] : inner;
  };
  return [...reached(schemas, next)].filter(isObject);
}

/** The definition that a reference leads to, or a part of it. */
function targetOf(root: Node, reference: string): unknown {
  const steps = reference.split('/').slice(1);
  return steps.reduce<unknown>((value, step) => (value as Node)[unescaped(decodeURIComponent(step))], root);
}

function memberOf({ properties, additionalProperties }: Node, key: string): readonly unknown[] {
  if (isObject(properties) && Object.hasOwn(properties, key)) return [properties[key]];
  return isObject(additionalProperties) ? [additionalProperties] : [];
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
