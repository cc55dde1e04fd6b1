/** Makes random schemas with typed values, each with values of the text that encoding writes. */

import fc from 'fast-check';

/** A schema, and valid values of it: bigints are the integers of JSON. */
export interface Described {
  readonly schema: object;
  readonly value: fc.Arbitrary<unknown>;
}

const moment = fc
  .date({
    min: new Date('0000-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  })
  .map((date) => date.toISOString());

/** As JSON has an integer: a number where that is exact. */
const integer = fc
  .bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
  .chain((large) => fc.oneof(fc.constant(large), fc.maxSafeInteger().map(BigInt)))
  .map((each) => (Number.isSafeInteger(Number(each)) ? Number(each) : each));

const scalar: fc.Arbitrary<Described> = fc.constantFrom<Described>(
  { schema: { type: 'string', format: 'date-time' }, value: moment },
  { schema: { type: 'string', format: 'date' }, value: moment.map((text) => text.slice(0, 10)) },
  { schema: { type: 'integer', format: 'int64' }, value: integer },
  {
    schema: { type: 'string', format: 'int64' },
    value: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
  },
  {
    schema: { type: 'string', format: 'byte' },
    value: fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes).toString('base64')),
  },
  { schema: { type: 'string', maxLength: 8 }, value: fc.string({ maxLength: 8 }) },
  { schema: { type: 'boolean' }, value: fc.boolean() },
);

const name = fc.constantFrom(
  'a',
  'b-c',
  'constructor',
  'toString',
  'value',
  'result',
  'at',
  'exact',
  '__proto__',
);

/** A property of any name, even of one that an assignment would not make. */
function object(members: readonly (readonly [string, unknown])[]): object {
  return Object.fromEntries(members);
}

function record(members: readonly (readonly [string, Described, boolean])[]): Described {
  const schema = {
    type: 'object',
    required: members.flatMap(([key, , isRequired]) => (isRequired ? [key] : [])),
    properties: object(members.map(([key, each]) => [key, each.schema])),
  };
  const parts = members.map(([key, { value }, isRequired]) =>
    fc
      .tuple(value, isRequired ? fc.constant(true) : fc.boolean())
      .map(([each, isThere]): readonly (readonly [string, unknown])[] => (isThere ? [[key, each]] : [])),
  );
  return { schema, value: fc.tuple(...parts).map((entries) => object(entries.flat())) };
}

/** Schemas down to a depth; 3.0 has no tuples, constants or lists of types. */
export function described(version: '3.0' | '3.1', depth: number): fc.Arbitrary<Described> {
  if (depth === 0) return scalar;
  const inner = described(version, depth - 1);
  const members = fc.uniqueArray(fc.tuple(name, inner, fc.boolean()), {
    maxLength: 4,
    selector: ([key]) => key,
  });
  const objects = members.map(record);
  const lists = inner.map(({ schema, value }) => ({
    schema: { type: 'array', items: schema },
    value: fc.array(value, { maxLength: 3 }),
  }));
  const maps = inner.map(({ schema, value }) => ({
    schema: { type: 'object', additionalProperties: schema },
    value: fc.uniqueArray(fc.tuple(name, value), { maxLength: 3, selector: ([key]) => key }).map(object),
  }));
  const both = fc.tuple(objects, objects).chain(([one, other]) =>
    // Names that both have must have one schema, or no value may fit.
    fc.constant(allOf(one, other)),
  );
  const tagged = fc
    .tuple(members, members, fc.boolean(), fc.boolean())
    .map(([one, other, isNamed, isOneOf]) => {
      const branches = [one, other].map((each, index) => {
        const tag = {
          schema: { type: 'string', enum: [`tag${String(index)}`] },
          value: fc.constant(`tag${String(index)}`),
        };
        return record([['tag', tag, true], ...each]);
      });
      return {
        schema: {
          [isOneOf ? 'oneOf' : 'anyOf']: branches.map(({ schema }) => schema),
          ...(isNamed && { discriminator: { propertyName: 'tag' } }),
        },
        value: fc.oneof(...branches.map(({ value }) => value)),
      };
    });
  const kinds = fc.tuple(lists, objects, scalar, fc.nat({ max: 2 })).map(([list, other, text, turn]) => {
    const all = [list, other, text];
    const branches = [...all.slice(turn), ...all.slice(0, turn)];
    return {
      schema: { anyOf: branches.map(({ schema }) => schema) },
      value: fc.oneof(...branches.map(({ value }) => value)),
    };
  });
  const beside = fc.tuple(objects, kinds).map(([one, { schema, value }]) => ({
    schema: { type: 'object', required: ['union'], properties: { union: schema, ...{ other: one.schema } } },
    value: fc.record({ union: value, other: one.value }),
  }));
  const nullable = inner.map(({ schema, value }) => ({
    schema: orNull(version, schema),
    value: fc.option(value, { nil: null }),
  }));
  const tuples = fc.tuple(inner, inner, inner).map(([first, second, rest]) => ({
    schema: { type: 'array', prefixItems: [first.schema, second.schema], items: rest.schema },
    value: fc
      .tuple(first.value, second.value, fc.array(rest.value, { maxLength: 2 }))
      .map(([one, two, others]) => [one, two, ...others]),
  }));
  return fc.oneof(
    objects,
    lists,
    maps,
    both,
    tagged,
    kinds,
    beside,
    nullable,
    ...(version === '3.1' ? [tuples] : []),
  );
}

function allOf(one: Described, other: Described): Described {
  const first = one.schema as { readonly properties: object };
  const second = other.schema as { readonly properties: object; readonly required: readonly string[] };
  const names = Object.keys(first.properties);
  const isNew = (key: string): boolean => !names.includes(key);
  const rest = {
    ...second,
    required: second.required.filter(isNew),
    properties: object(Object.entries(second.properties).filter(([key]) => isNew(key))),
  };
  const value = fc
    .tuple(one.value, other.value)
    .map(([mine, its]) =>
      object([
        ...Object.entries(mine as object),
        ...Object.entries(its as object).filter(([key]) => isNew(key)),
      ]),
    );
  return { schema: { allOf: [one.schema, rest] }, value };
}

function orNull(version: '3.0' | '3.1', schema: object): object {
  if (version === '3.1') return { anyOf: [{ type: 'null' }, schema] };
  return 'type' in schema
    ? { ...schema, nullable: true }
    : { anyOf: [schema, { type: 'string', nullable: true, enum: [null] }] };
}
