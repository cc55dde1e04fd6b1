/** Finds every failure of a value, from the schema that a generated check carries. */

import type { Check } from '../contract/contract.js';
import { ArrayKeywords } from './array-failures.js';
import type { CheckedSchema, Failure, SchemaKeywords } from './failure.js';
import { isObject } from './json-value.js';
import { ObjectKeywords } from './object-failures.js';
import { type Trial, Looked } from './trial.js';
import { finding, typeFindings, valueFindings, type Finding } from './value-failures.js';

/**
 * Every failure of a value that a check refused: first of its type, then of the value itself, then of its items and
 * properties. Defaults are inserted as in the check.
 *
 * @returns an empty list for a value that fits, and for a check without its schema
 */
export function failuresOf(check: Check, value: unknown): readonly Failure[] {
  const trial = new SchemaTrial();
  trial.schema({ $ref: check }, value, '');
  return trial.failures;
}

class SchemaTrial implements Trial {
  readonly failures: Failure[] = [];
  readonly looked = new Looked();

  get fits(): boolean {
    return this.failures.length === 0;
  }

  fail(place: string, { keyword, params, message }: Finding): void {
    this.failures.push({ instancePath: place, keyword, params, message });
  }

  part(schema: unknown, value: unknown, place: string): void {
    this.failures.push(...this.attempt(schema, value, place).failures);
  }

  same(schema: unknown, value: unknown, place: string): void {
    const inner = this.attempt(schema, value, place);
    this.failures.push(...inner.failures);
    this.looked.add(inner.looked);
  }

  attempt(schema: unknown, value: unknown, place: string): SchemaTrial {
    const trial = new SchemaTrial();
    trial.schema(schema as CheckedSchema, value, place);
    return trial;
  }

  schema(schema: CheckedSchema, value: unknown, place: string): void {
    if (typeof schema === 'boolean') {
      if (!schema) this.fail(place, finding('false schema', {}, 'boolean schema is false'));
      return;
    }
    const wrong = typeFindings(schema, value);
    for (const each of [...wrong, ...(wrong.length > 0 ? [] : valueFindings(schema, value))])
      this.fail(place, each);
    if (wrong.length > 0) return;
    this.#inPlace(schema, value, place);
    if (Array.isArray(value)) new ArrayKeywords(this, schema, value, place).look();
    else if (isObject(value)) new ObjectKeywords(this, schema, value, place).look();
  }

  #inPlace(schema: SchemaKeywords, value: unknown, place: string): void {
    if ('not' in schema && this.attempt(schema['not'], value, place).fits)
      this.fail(place, finding('not', {}, 'must NOT be valid'));
    if ('anyOf' in schema) this.#alternatives('anyOf', schema['anyOf'] as readonly unknown[], value, place);
    if ('oneOf' in schema) this.#alternatives('oneOf', schema['oneOf'] as readonly unknown[], value, place);
    for (const each of (schema['allOf'] ?? []) as readonly unknown[]) this.same(each, value, place);
    if ('$ref' in schema) this.same((schema['$ref'] as Check).schema?.() ?? true, value, place);
    if ('readOnly' in schema) this.fail(place, finding('readOnly', {}, 'must NOT be sent: it is read-only'));
    if ('writeOnly' in schema)
      this.fail(place, finding('writeOnly', {}, 'must NOT be returned: it is write-only'));
    if ('if' in schema) {
      const condition = this.attempt(schema['if'], value, place);
      if (condition.fits) this.looked.add(condition.looked);
      this.same((condition.fits ? schema['then'] : schema['else']) ?? true, value, place);
    }
    if ('nullOr' in schema && value !== null) this.same(schema['nullOr'], value, place);
  }

  #alternatives(
    keyword: 'anyOf' | 'oneOf',
    schemas: readonly unknown[],
    value: unknown,
    place: string,
  ): void {
    const attempts = schemas.map((each) => this.attempt(each, value, place));
    const fitting = attempts.flatMap(({ fits }, index) => (fits ? [index] : []));
    for (const { looked, fits } of attempts) if (fits || fitting.length === 0) this.looked.add(looked);
    if (keyword === 'anyOf' ? fitting.length > 0 : fitting.length === 1) return;
    const params = keyword === 'anyOf' ? {} : { passingSchemas: fitting.length === 0 ? null : fitting };
    const message =
      keyword === 'anyOf' ? 'must match a schema in anyOf' : 'must match exactly one schema in oneOf';
    const alternatives = attempts.filter(({ fits }) => !fits).map(({ failures }) => failures);
    this.failures.push({ instancePath: place, keyword, params, message, alternatives });
  }
}
