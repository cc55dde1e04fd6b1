/** Copies schemas out of a document, as JSON Schema 2020-12 whose references lead to definitions that the copies share. */

import type { ToolSchema } from '@concordat/runtime';
import { DIGITS, isLong } from '@concordat/runtime/parts';
import { type Fields, type OpenApiDocument, entries, isObject } from '../../contract/schemas/document.js';
import { FIELDS } from '../../contract/schemas/document-structure.js';
import { joinPointer, pointerTokens, resolvePointer } from '../../text/pointer.js';

/**
 * Keywords that a copy leaves out. Most do not restrict a value. A discriminator names places of the document. The target of a
 * `$dynamicRef` depends on the schemas that lead to it; without the keyword, a copy accepts any value there.
 */
const LEFT_OUT = new Set(['xml', 'externalDocs', 'discriminator', 'nullable', '$dynamicRef', '$schema']);

export class SchemaCopies {
  /** The places that references lead to, by the names of their definitions. */
  readonly #places = new Map<string, string>();

  /** @param isAnswer - whether the schemas describe answers, which clients check */
  constructor(
    private readonly document: OpenApiDocument,
    private readonly isAnswer = false,
  ) {}

  /** The definitions that the copies so far refer to, by name. */
  definitions(): Readonly<Record<string, ToolSchema>> {
    const made: (readonly [string, ToolSchema])[] = [];
    // A definition may refer to further ones, which are added while this loop runs.
    for (const [name, place] of this.#places) {
      const refers = new Set<string>();
      const schema = this.copy(resolvePointer(this.document, place), refers);
      made.push([name, { schema, refers: [...refers] }]);
    }
    return Object.fromEntries(made);
  }

  /** @param refers - gets the names of the definitions that the copy refers to */
  copy(schema: unknown, refers: Set<string>): unknown {
    if (!isObject(schema)) return schema;
    const copied = Object.entries(schema)
      .filter(([keyword, value]) => !this.#isLeftOut(keyword, value))
      .map(([keyword, value]) => [keyword, this.#copyKeyword(keyword, value, refers)] as const);
    return withDigits(Object.fromEntries(copied));
  }

  /** Like `copy`, with an object for `true` and `false`: the SDK accepts only objects as properties. */
  copyObject(schema: unknown, refers: Set<string>): Fields {
    const copy = this.copy(schema, refers);
    return isObject(copy) ? copy : copy === false ? { not: {} } : {};
  }

  #isLeftOut(keyword: string, value: unknown): boolean {
    // In binary floating point, 19.99 is not a multiple of 0.01: the check of the SDK's client would refuse valid answers.
    const isFraction = keyword === 'multipleOf' && !Number.isInteger(value);
    return LEFT_OUT.has(keyword) || keyword.startsWith('x-') || (this.isAnswer && isFraction);
  }

  #copyKeyword(keyword: string, value: unknown, refers: Set<string>): unknown {
    if (keyword === '$ref' && typeof value === 'string') return this.#define(value, refers);
    if (!Object.hasOwn(FIELDS.schema, keyword)) return value;
    if (Array.isArray(value)) return value.map((each) => this.copy(each, refers));
    const isByName = FIELDS.schema[keyword]?.[1] === 1;
    if (!isByName) return this.copy(value, refers);
    return Object.fromEntries(entries(value).map(([name, each]) => [name, this.copyObject(each, refers)]));
  }

  /** @returns the reference to the definition of what a reference leads to */
  #define(reference: string, refers: Set<string>): string {
    const steps = pointerTokens(reference);
    const [root, kind, component] = steps;
    const isComponent = root === 'components' && kind === 'schemas' && component !== undefined;
    const [name, place, deeper] = isComponent
      ? [component, joinPointer('#/components/schemas', component), steps.slice(3)]
      : [steps.join('.'), reference, []];
    this.#places.set(name, place);
    refers.add(name);
    return `#/$defs/${[name, ...deeper].map(escaped).join('/')}`;
  }
}

/** Allows a string of digits for integers beyond 2^53, which most JSON parsers would round (RFC 8259 §6). */
function withDigits(schema: Fields): Fields {
  const types = [schema['type']].flat();
  if (!isLong(schema) || 'enum' in schema || 'const' in schema || types.includes('string')) return schema;
  return { ...schema, type: [...types, 'string'], pattern: DIGITS };
}

/** A step of a JSON Pointer in a URI fragment (RFC 6901 §6). */
function escaped(step: string): string {
  return encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'));
}
