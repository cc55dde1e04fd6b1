/** Copies schemas out of an OpenAPI document, as self-contained JSON Schema 2020-12. */

import { type ApplicatorRow, APPLICATORS } from '../contract/keywords.js';
import { isLong } from './arguments.js';
import { type Node, isNode, segmentsOf, targetOf } from './openapi-document.js';

/** Whether the value of a keyword is a schema, a list of schemas, or schemas by name. */
const HOLDS: ReadonlyMap<string, ApplicatorRow['holds']> = new Map([
  ...Object.entries(APPLICATORS).map(([keyword, { holds }]) => [keyword, holds] as const),
  ['contentSchema', 'one'],
  ['$defs', 'map'],
  ['definitions', 'map'],
]);

/**
 * Keywords that a copy leaves out. Most do not restrict a value. A discriminator names places of the document. The target of a
 * `$dynamicRef` depends on the schemas that lead to it; without the keyword, a copy accepts any value there.
 */
const LEFT_OUT = new Set(['xml', 'externalDocs', 'discriminator', 'nullable', '$dynamicRef', '$schema']);

/** The schemas of one tool, which share their definitions. */
export class SchemaCopies {
  readonly #isOpenApi30: boolean;
  readonly #definitions = new Map<string, unknown>();

  /** @param isAnswer - whether the schemas describe answers, which clients check */
  constructor(
    private readonly document: Node,
    private readonly isAnswer = false,
  ) {
    this.#isOpenApi30 = String(document['openapi']).startsWith('3.0');
  }

  /** Copies a schema; a reference to a component becomes one to `$defs`. */
  copy(schema: unknown): unknown {
    if (!isNode(schema)) return schema;
    const reference = schema['$ref'];
    // Before 3.1, the other members of a reference are ignored (Reference Object).
    if (typeof reference === 'string' && this.#isOpenApi30) return { $ref: this.#define(reference) };
    const copied = Object.entries(schema)
      .filter(([keyword, value]) => !this.#isLeftOut(keyword, value))
      .map(([keyword, value]) => [keyword, this.#copyKeyword(keyword, value)] as const);
    const copy = Object.fromEntries(copied);
    return withDigits(this.#isOpenApi30 ? upgraded(copy, schema['nullable'] === true) : copy);
  }

  /** Like `copy`, with an object for `true` and `false`: the SDK accepts only objects as properties. */
  copyObject(schema: unknown): Node {
    const copy = this.copy(schema);
    return isNode(copy) ? copy : copy === false ? { not: {} } : {};
  }

  /** Adds the definitions that all copies so far refer to. */
  withDefinitions<Schema extends Node>(schema: Schema): Schema {
    if (this.#definitions.size === 0) return schema;
    const own = isNode(schema['$defs']) ? schema['$defs'] : {};
    return { ...schema, $defs: { ...own, ...Object.fromEntries(this.#definitions) } };
  }

  #isLeftOut(keyword: string, value: unknown): boolean {
    // In binary floating point, 19.99 is not a multiple of 0.01: the check of the SDK's client would refuse valid answers.
    const isFraction = keyword === 'multipleOf' && !Number.isInteger(value);
    return LEFT_OUT.has(keyword) || keyword.startsWith('x-') || (this.isAnswer && isFraction);
  }

  #copyKeyword(keyword: string, value: unknown): unknown {
    if (keyword === '$ref' && typeof value === 'string') return this.#define(value);
    const holds = HOLDS.get(keyword);
    if (holds === 'one') return this.copy(value);
    if (holds === 'list' && Array.isArray(value)) return value.map((each) => this.copy(each));
    if (holds === 'map' && isNode(value)) {
      return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, this.copyObject(each)]));
    }
    return value;
  }

  /** Copies the target of a reference once. @returns the reference to the copy */
  #define(reference: string): string {
    const segments = segmentsOf(reference);
    const isComponent = segments[0] === 'components' && segments[1] === 'schemas' && segments.length > 2;
    const name = isComponent ? (segments[2] ?? '') : segments.join('.');
    const target = isComponent ? reference.split('/').slice(0, 4).join('/') : reference;
    if (!this.#definitions.has(name)) {
      this.#definitions.set(name, undefined);
      this.#definitions.set(name, this.copy(targetOf(this.document, target)));
    }
    return `#/$defs/${[name, ...(isComponent ? segments.slice(3) : [])].map(escaped).join('/')}`;
  }
}

/** Allows a string of digits for integers beyond 2^53, which most JSON parsers would round (RFC 8259 §6). */
function withDigits(schema: Node): Node {
  const types = [schema['type']].flat();
  if (!isLong(schema) || 'enum' in schema || 'const' in schema || types.includes('string')) return schema;
  return { ...schema, type: [...types, 'string'], pattern: String.raw`^-?\d+$` };
}

/** Translates boolean exclusive bounds and `nullable`, which adds null only to `type` (OpenAPI 3.0.3). */
function upgraded(schema: Record<string, unknown>, isNullable: boolean): Node {
  const { exclusiveMinimum, exclusiveMaximum, minimum, maximum, ...others } = schema;
  const type = others['type'];
  return {
    ...others,
    ...(isNullable && typeof type === 'string' && { type: [type, 'null'] }),
    ...bound('minimum', minimum, exclusiveMinimum),
    ...bound('maximum', maximum, exclusiveMaximum),
  };
}

function bound(keyword: 'minimum' | 'maximum', value: unknown, isExclusive: unknown): Node {
  if (value === undefined) return {};
  return isExclusive === true
    ? { [keyword === 'minimum' ? 'exclusiveMinimum' : 'exclusiveMaximum']: value }
    : { [keyword]: value };
}

/** A step of a JSON Pointer in a URI fragment (RFC 6901 §6). */
function escaped(segment: string): string {
  return encodeURIComponent(segment.replaceAll('~', '~0').replaceAll('/', '~1'));
}
