/** Makes arbitraries of the values that fit schemas. */

import fc from 'fast-check';
import type { Check } from '../contract/contract.js';
import type { CheckedSchema } from '../failures/failure.js';
import { canonical, isObject } from '../failures/json-value.js';
import { expression } from '../failures/assertion-failures.js';
import {
  type Parts,
  type Schemas,
  boundOf,
  choicesOf,
  partsOf,
  referenceIn,
  schemaOf,
  typesOf,
} from './conjunction.js';
import { fits, listedValues } from './fitting.js';
import { Lazy, only } from './lazy.js';
import { heightOf, itemSchemas, prefixLength, propertySchemas, requiredNames } from './members.js';
import { numbers } from './numbers.js';
import { texts } from './texts.js';

/** Deeper values have only required members. */
const DEEPEST = 4;

/** The greatest maximum length for which lists of exactly that length are made. */
const LONGEST = 20;

/** The keywords that generation does not guarantee, so values are checked against them afterwards. */
const TRIED = [
  ...['not', 'oneOf', 'dispatch', 'propertyNames', 'minProperties', 'maxProperties'],
  ...['contains', 'maxItems', 'uniqueItems'],
];

const ABSENT = Symbol('absent');

/** Makes arbitraries whose values share one limit of depth. */
export class Values {
  readonly #depth = { depthIdentifier: fc.createDepthIdentifier(), maxDepth: DEEPEST };
  readonly #known = new Map<Check, fc.Arbitrary<unknown>>();

  /**
   * The values that fit all of several schemas.
   *
   * @throws when there is none
   */
  of(schemas: Schemas): fc.Arbitrary<unknown> {
    const check = referenceIn(schemas);
    if (check === undefined) return this.#tried(schemas);
    const known = this.#known.get(check) ?? new Lazy(() => this.#tried([schemaOf(check)]));
    this.#known.set(check, known);
    return known;
  }

  /** Values that are checked afterwards if generation does not guarantee all keywords. */
  #tried(schemas: Schemas): fc.Arbitrary<unknown> {
    const parts = partsOf(schemas);
    if (parts === undefined || heightOf(schemas) === Infinity) throw new Error('no value fits the schema');
    const values = this.#ofParts(parts);
    const isCertain = choicesOf(parts) === undefined;
    if (isCertain && !parts.some((part) => TRIED.some((keyword) => keyword in part))) return values;
    return only(
      values,
      (value) => fits(parts, value),
      () => `the schema ${JSON.stringify(schemas)}`,
    );
  }

  #ofParts(parts: Parts): fc.Arbitrary<unknown> {
    const choices = choicesOf(parts);
    return choices === undefined ? this.#plain(parts) : this.#oneOf(choices);
  }

  /** Values of all alternatives. They shrink to values of the first, which has the smallest ones. */
  #oneOf(choices: readonly Schemas[]): fc.Arbitrary<unknown> {
    const possible = choices
      .map((choice) => ({ choice, height: heightOf(choice) }))
      .filter(({ height }) => height < Infinity)
      .toSorted((a, b) => a.height - b.height);
    const values = possible.map(({ choice }) =>
      referenceIn(choice) === undefined
        ? new Lazy(() => this.#ofParts(partsOf(choice) ?? []))
        : this.of(choice),
    );
    return values.length === 1 && values[0] !== undefined
      ? values[0]
      : fc.oneof({ ...this.#depth, withCrossShrink: true }, ...values);
  }

  #plain(parts: Parts): fc.Arbitrary<unknown> {
    const own = parts.find((part) => 'arbitrary' in part);
    if (own !== undefined) return own['arbitrary'] as fc.Arbitrary<unknown>;
    const listed = listedValues(parts);
    if (listed !== undefined) return fc.constantFrom(...listed);
    const types = typesOf(parts);
    const [type] = types;
    if (type !== undefined && types.length === 1) return this.#ofType(type, parts);
    return this.#oneOf(types.map((each) => [...parts, { type: each }]));
  }

  #ofType(type: string, parts: Parts): fc.Arbitrary<unknown> {
    switch (type) {
      case 'object':
        return this.#objects(parts);
      case 'array':
        return this.#arrays(parts);
      case 'string':
        return texts(parts);
      case 'boolean':
        return fc.boolean();
      case 'null':
        return fc.constant(null);
      default:
        return numbers(parts, type === 'integer');
    }
  }

  #objects(parts: Parts): fc.Arbitrary<object> {
    const required = requiredNames(parts);
    const declared = namesIn(parts, 'properties');
    const names = [...new Set([...required, ...declared])].filter(
      (name) => required.has(name) || heightOf(propertySchemas(parts, name)) < Infinity,
    );
    const members = names.map((name): fc.Arbitrary<unknown> => {
      const values = this.of(propertySchemas(parts, name));
      return required.has(name) ? values : fc.option(values, { ...this.#depth, nil: ABSENT, freq: 2 });
    });
    return fc
      .tuple(fc.tuple(...members), this.#others(parts, { least: required.size, most: names.length }))
      .map(([values, others]) => {
        const own = names.map((name, index) => [name, values[index]] as const);
        const ownNames = new Set(names);
        return Object.fromEntries([
          ...own.filter(([, value]) => value !== ABSENT),
          ...others.filter(([name]) => !ownNames.has(name)),
        ]);
      });
  }

  /** Properties that the schema does not name, if it describes them, or requires more than it names. */
  #others(
    parts: Parts,
    known: { readonly least: number; readonly most: number },
  ): fc.Arbitrary<readonly (readonly [string, unknown])[]> {
    const least = (boundOf(parts, 'minProperties', Math.max) ?? 0) - known.most;
    const most = boundOf(parts, 'maxProperties', Math.min);
    const patterns = namesIn(parts, 'patternProperties');
    const isMap = parts.some(({ additionalProperties }) => isObject(additionalProperties));
    const isOpen = heightOf(propertySchemas(parts, '')) < Infinity;
    if (patterns.length === 0 && !(isOpen && (isMap || least > 0))) return fc.constant([]);
    const nameSchemas: Schemas = [
      { type: 'string' },
      ...parts.flatMap(({ propertyNames = true }) => [propertyNames as CheckedSchema]),
    ];
    const names = [
      ...patterns.map((pattern) => texts([{ pattern }])),
      ...(isOpen && (isMap || patterns.length === 0)
        ? [this.of([...nameSchemas, { minLength: 1, maxLength: 20 }])]
        : []),
    ] as readonly fc.Arbitrary<string>[];
    const entries = names.map((each, index) => {
      const pattern = patterns[index];
      const schemas =
        pattern === undefined
          ? parts.flatMap(({ additionalProperties = true }) => [additionalProperties as CheckedSchema])
          : parts.flatMap(({ patternProperties = {} }) => [
              (patternProperties as Readonly<Record<string, CheckedSchema>>)[pattern] ?? true,
            ]);
      const isMeant = (name: string): boolean =>
        name !== '__proto__' && patterns.every((other) => other === pattern || !expression(other).test(name));
      return fc.tuple(
        only(each, isMeant, () => 'the names of properties'),
        this.of(schemas),
      );
    });
    return fc.uniqueArray(fc.oneof(...entries), {
      minLength: Math.max(0, least),
      ...(most !== undefined && { maxLength: Math.max(0, least, most - known.least) }),
      selector: ([name]) => name,
      depthIdentifier: this.#depth.depthIdentifier,
    });
  }

  #arrays(parts: Parts): fc.Arbitrary<readonly unknown[]> {
    const prefix = prefixLength(parts);
    const least = boundOf(parts, 'minItems', Math.max) ?? 0;
    const most = boundOf(parts, 'maxItems', Math.min) ?? Infinity;
    const first = [...Array(Math.min(prefix, most)).keys()].map((index) =>
      this.of(itemSchemas(parts, index)),
    );
    const items = itemSchemas(parts, prefix);
    const limits = {
      minLength: Math.max(0, least - prefix),
      maxLength: heightOf(items) === Infinity ? 0 : Math.max(0, most - prefix),
    };
    const rest = limits.maxLength === 0 ? fc.constant([]) : this.#lists(this.of(items), limits, parts);
    const contained = parts.flatMap(({ contains, minContains = 1 }) =>
      contains === undefined
        ? []
        : Array.from({ length: Number(minContains) }, () => this.of([...items, contains as CheckedSchema])),
    );
    return fc
      .tuple(fc.tuple(...first), fc.tuple(...contained), rest)
      .map(([before, wanted, others]) => [...before, ...wanted, ...others].slice(0, Math.max(least, most)));
  }

  #lists(
    items: fc.Arbitrary<unknown>,
    { minLength, maxLength }: { readonly minLength: number; readonly maxLength: number },
    parts: Parts,
  ): fc.Arbitrary<unknown[]> {
    const isUnique = parts.some(({ uniqueItems }) => uniqueItems === true);
    const ofLength = (least: number): fc.Arbitrary<unknown[]> => {
      const limits = {
        minLength: least,
        ...(maxLength < Infinity && { maxLength }),
        depthIdentifier: this.#depth.depthIdentifier,
      };
      return isUnique ? fc.uniqueArray(items, { ...limits, selector: canonical }) : fc.array(items, limits);
    };
    if (isUnique || maxLength > LONGEST) return ofLength(minLength);
    const full = { weight: 1, arbitrary: ofLength(maxLength) };
    return fc.oneof(
      { ...this.#depth, withCrossShrink: true },
      { weight: 5, arbitrary: ofLength(minLength) },
      full,
    );
  }
}

function namesIn(parts: Parts, keyword: 'properties' | 'patternProperties'): readonly string[] {
  return parts.flatMap((part) => Object.keys(part[keyword] ?? {}));
}
