/**
 * Draws schemas. The weights are those of eleven public documents with 2,200 operations: of 27,000 types, one half is a string, a seventh
 * an object, and a twelfth each an integer, a list and a list of types; there are half as many references as types, an enum for one type in
 * ten, a format in eight, a length in eleven, `allOf` and `oneOf` in 35, `anyOf` in 350, and a map in 80. What is rare there is drawn more
 * often here: twenty of our documents are as large as one of theirs.
 */

import type { Random } from '../simulation/random.js';
import { type Names, pointerToken } from './names.js';

export type Version = '3.0' | '3.1' | '3.2';
export type SchemaObject = Readonly<Record<string, unknown>>;

/** A pattern and a text that it takes. */
export const PATTERNS: readonly (readonly [pattern: string, text: string])[] = [
  ['^[a-z]{3}$', 'abc'],
  ['^[A-Z]{2}[0-9]{4}$', 'AB1234'],
  ['^(?:a|b)+$', 'abab'],
  ['^\\p{L}+$', 'é'],
  ['^x_', 'x_1'],
  ['^$', ''],
  ['\\/', 'a/b'],
];

/** A format, and texts that it takes. */
export const FORMATS: Readonly<Record<string, readonly string[]>> = {
  uri: ['https://example.com/a'],
  'date-time': ['2024-02-29T12:00:00Z'],
  date: ['2024-02-29'],
  uuid: ['123e4567-e89b-12d3-a456-426614174000'],
  email: ['ada@example.com'],
  ipv4: ['127.0.0.1'],
  hostname: ['example.com'],
};
const UNKNOWN_FORMATS = [
  'phone-number',
  'currency',
  'iso-country-code',
  'constructor',
  '__proto__',
  'a b',
  '',
];

export class SchemaDrawer {
  constructor(
    readonly random: Random,
    readonly names: Names,
    readonly version: Version,
    /** The names of the component schemas. */
    readonly components: readonly string[],
    /** Whether a component is an object, so that it may be a part of one. */
    readonly isObject: (index: number) => boolean,
    /** Whether it draws `readOnly` and `writeOnly`. */
    readonly hasDirections: boolean,
  ) {}

  reference(index: number): SchemaObject {
    return { $ref: `#/components/schemas/${pointerToken(this.components[index] ?? '')}` };
  }

  /** A reference to a component after another one, so that a chain of them ends; a text if there is none. */
  later(after: number): SchemaObject {
    const last = this.components.length - 1;
    return after >= last ? { type: 'string' } : this.reference(this.random.whole(after + 1, last));
  }

  /** A reference to an object after a component; an object of no other if there is none. */
  laterObject(after: number): SchemaObject {
    const later = this.components.flatMap((_, index) => (index > after && this.isObject(index) ? index : []));
    const index = this.random.pick(later);
    return index === undefined ? { type: 'object' } : this.reference(index);
  }

  /**
   * A schema for a member of a value.
   *
   * @param at - the index of the component that it is in; -1 for none
   * @param isRequired - whether each value has the member, so that a schema that leads back to it has no value
   */
  member(at: number, depth: number, isRequired = false): SchemaObject {
    const { random } = this;
    if (this.components.length > 0 && random.chance(0.3))
      return isRequired ? this.later(at) : this.reference(random.whole(0, this.components.length - 1));
    return this.any(at, depth);
  }

  /** A schema of any kind. */
  any(at: number, depth: number): SchemaObject {
    const { random } = this;
    const draw = random.next();
    const made =
      depth <= 0 || draw < 0.6
        ? this.scalar()
        : draw < 0.78
          ? this.object(at, depth - 1)
          : draw < 0.9
            ? this.list(at, depth - 1)
            : this.composed(at, depth - 1);
    return this.#described(this.#orNull(made));
  }

  #described(schema: SchemaObject): SchemaObject {
    const { random } = this;
    return {
      ...schema,
      ...(random.chance(0.3) && { description: random.text(40) }),
      ...(random.chance(0.03) && { title: this.names.any() }),
      ...(random.chance(0.03) && { deprecated: true }),
      ...(random.chance(0.03) && { 'x-a': { $ref: '#/nowhere', b: [1, null] } }),
      ...(random.chance(0.02) && this.version !== '3.0' && { $comment: '*/' }),
      ...(this.hasDirections && random.chance(0.1) && { [random.pick(['readOnly', 'writeOnly'])]: true }),
    };
  }

  #orNull(schema: SchemaObject): SchemaObject {
    const { type } = schema;
    if (typeof type !== 'string' || 'enum' in schema || 'const' in schema || !this.random.chance(0.1))
      return schema;
    return this.version === '3.0' ? { ...schema, nullable: true } : { ...schema, type: [type, 'null'] };
  }

  scalar(): SchemaObject {
    const { random } = this;
    const draw = random.next();
    if (draw < 0.1) return this.#enum();
    if (draw < 0.65) return this.#text();
    if (draw < 0.88) return this.#number();
    if (draw < 0.96) return { type: 'boolean' };
    if (draw < 0.98 || this.version === '3.0') return {};
    return random.pick<SchemaObject>([
      { type: ['string', 'integer'] },
      { type: 'null' },
      { const: 1 },
      { const: { a: [null] } },
    ]);
  }

  #enum(): SchemaObject {
    const { random } = this;
    const taken = new Set<string>();
    const values = Array.from({ length: random.size(200) }, () => this.names.draw(taken));
    return this.version !== '3.0' && random.chance(0.2)
      ? { enum: [...values, 1, null] }
      : { type: 'string', enum: values };
  }

  #text(): SchemaObject {
    const { random } = this;
    const least = random.chance(0.1) ? random.whole(0, 5) : undefined;
    const draw = random.next();
    if (draw < 0.1) return { type: 'string', pattern: random.pick(PATTERNS)?.[0] };
    if (draw < 0.25) return { type: 'string', format: random.pick(Object.keys(FORMATS)) };
    if (draw < 0.29) return { type: 'string', format: random.pick(UNKNOWN_FORMATS) };
    return {
      type: 'string',
      ...(least !== undefined && { minLength: least }),
      ...(random.chance(0.15) && { maxLength: (least ?? 0) + random.size(500) }),
    };
  }

  #number(): SchemaObject {
    const { random } = this;
    const isWhole = random.chance(0.8);
    const least = random.whole(-5, 5);
    return {
      type: isWhole ? 'integer' : 'number',
      ...(random.chance(0.2) && {
        format: random.pick(isWhole ? ['int32', 'int64', 'u-int32'] : ['float', 'double']),
      }),
      ...(random.chance(0.2) && { minimum: least }),
      ...(random.chance(0.2) && { maximum: least + random.size(1000) }),
      ...(random.chance(0.04) && { multipleOf: random.pick([1, 2, 5]) }),
      ...(random.chance(0.03) &&
        (this.version === '3.0' ? { minimum: least, exclusiveMinimum: true } : { exclusiveMinimum: least })),
    };
  }

  object(at: number, depth: number): SchemaObject {
    const { random } = this;
    const taken = new Set<string>();
    const count = random.size(40);
    const members = Array.from({ length: count }, () => {
      const name = this.names.draw(taken);
      const isRequired = random.chance(0.35);
      return { name, isRequired, schema: this.member(at, depth, isRequired) };
    });
    const required = members.filter(({ isRequired }) => isRequired).map(({ name }) => name);
    return {
      ...(random.chance(0.95) && { type: 'object' }),
      properties: Object.fromEntries(members.map(({ name, schema }) => [name, schema])),
      ...(required.length > 0 && { required }),
      ...(random.chance(0.1) && {
        additionalProperties: random.chance(0.5) ? false : this.member(at, depth),
      }),
      ...(random.chance(0.03) && { minProperties: Math.min(1, count) }),
      ...(this.version !== '3.0' && this.#rareOfObjects(at, depth)),
    };
  }

  #rareOfObjects(at: number, depth: number): SchemaObject {
    const { random } = this;
    return {
      ...(random.chance(0.03) && { patternProperties: { '^x_': this.member(at, depth) } }),
      ...(random.chance(0.02) && { propertyNames: { maxLength: 400 } }),
      ...(random.chance(0.02) && { dependentRequired: { [this.names.any()]: ['name'] } }),
      ...(random.chance(0.02) && {
        dependentSchemas: { [this.names.any()]: { properties: { zz: this.member(at, depth) } } },
      }),
      ...(random.chance(0.02) && { unevaluatedProperties: this.member(at, depth) }),
      ...(random.chance(0.02) && {
        if: { required: ['kind'] },
        then: { properties: { note: this.member(at, depth) } },
        else: { properties: { note: this.member(at, depth) } },
      }),
      ...(random.chance(0.02) && { not: { required: ['never'] } }),
    };
  }

  list(at: number, depth: number): SchemaObject {
    const { random, version } = this;
    const least = random.chance(0.1) ? random.whole(1, 2) : 0;
    return {
      type: 'array',
      items: this.member(at, depth, least > 0),
      ...(least > 0 && { minItems: least }),
      ...(random.chance(0.1) && { maxItems: least + random.size(50) }),
      ...(least < 2 && random.chance(0.05) && { uniqueItems: true }),
      ...(version !== '3.0' &&
        random.chance(0.04) && { prefixItems: [this.member(at, depth), this.scalar()] }),
      ...(version !== '3.0' && random.chance(0.02) && { contains: {}, minContains: 0, maxContains: 60 }),
    };
  }

  /** A schema of others that hold for the same value. */
  composed(at: number, depth: number): SchemaObject {
    const { random } = this;
    const draw = random.next();
    const some = (make: () => SchemaObject): readonly SchemaObject[] =>
      Array.from({ length: random.size(6) }, make);
    if (draw < 0.3)
      return { allOf: some(() => (random.chance(0.5) ? this.object(at, depth) : this.laterObject(at))) };
    if (draw < 0.6) return { anyOf: some(() => (random.chance(0.4) ? this.later(at) : this.any(at, depth))) };
    if (draw < 0.85) {
      // Of several alternatives for values of one type, often each fits the same ones.
      const all = [
        { type: 'string' },
        { type: 'integer', minimum: 0 },
        { type: 'boolean' },
        this.list(at, depth),
        this.object(at, depth),
      ];
      return {
        oneOf: all
          .filter(() => random.chance(0.5))
          .concat(random.chance(0.2) ? this.later(at) : { type: 'number', maximum: -9 }),
      };
    }
    return this.version === '3.0' || random.chance(0.5)
      ? { type: 'object', additionalProperties: this.member(at, depth) }
      : { ...this.later(at), description: 'Beside' };
  }
}
