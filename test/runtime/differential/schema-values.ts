/** Random values for a schema: most of them fit, and some are wrong in one place or another. */
import fc from 'fast-check';
import {
  child,
  entries,
  follow,
  isNode,
  items,
  type Node,
  type Place,
} from '../../contract/contract-document.js';

/** Texts that fit a format, and texts that nearly do. */
const FORMATS: Readonly<Record<string, readonly [good: readonly string[], bad: readonly string[]]>> = {
  email: [['ada@example.com', 'a.b+c@sub.example.org'], ['ada', 'ada@', '@example.com', 'a b@example.com', 'ada@localhost']],
  date: [['2026-03-01', '2024-02-29'], ['2026-02-29', '2026-13-01', '2026-3-1', '20260301', '2026-03-01T00:00:00Z']],
  'date-time': [
    ['2026-03-01T08:00:00Z', '2026-03-01T08:00:00.000123Z', '2026-03-01t08:00:00z', '2026-03-01T08:00:00+01:00', '1990-12-31T23:59:60Z'],
    ['2026-03-01T08:00:00', '2026-03-01 08:00:00Z', '2026-03-01T24:00:00Z', '2026-02-30T08:00:00Z', 'now'],
  ],
  uuid: [['123e4567-e89b-12d3-a456-426614174000', '123E4567-E89B-12D3-A456-426614174000'], ['123e4567', 'urn:uuid:x']],
  uri: [['https://example.com/a?b#c', 'urn:a:b', 'mailto:ada@example.com'], ['/relative', 'no scheme', 'http://[', '']],
  'uri-reference': [['/api/users/1/orders', 'https://example.com/a?b#c', ''], ['a b', 'http://[', '\\']],
}; // prettier-ignore

const TEXTS = [
  '',
  'a',
  'ab',
  'AB12',
  'red',
  'twelve chars',
  '1',
  '12',
  '0',
  'é𝔏',
  'x'.repeat(201),
  'a\u0000b',
  'null',
  'true',
];
const NUMBERS = [0, 1, 2, 7, 10, 100, 101, -1, 0.5, 0.29, 19.99, 19.999, 1e6, 1_000_000.01, 1e300, 1e-9];

/** One arbitrary most of the time, another now and then. */
export function mostly<T>(weight: number, usual: fc.Arbitrary<T>, unusual: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: unusual });
}

/** Something of the schema, or now and then anything at all. */
export function valuesOf(document: Node, schema: Place): fc.Arbitrary<unknown> {
  const anything = fc.oneof(fc.jsonValue({ maxDepth: 1 }), fc.constantFrom(...TEXTS, ...NUMBERS));
  return mostly(40, fitting(document, schema), anything);
}

function fitting(document: Node, schema: Place): fc.Arbitrary<unknown> {
  const target = follow(document, schema);
  const { value: constant } = child(target, 'const');
  if (constant !== undefined) return fc.constant(constant);
  const { value: choices } = child(target, 'enum');
  if (Array.isArray(choices)) return fc.constantFrom(...(choices as unknown[]));
  const alternatives = [...items(child(target, 'oneOf')), ...items(child(target, 'anyOf'))];
  if (alternatives.length > 0) return fc.oneof(...alternatives.map((each) => valuesOf(document, each)));
  const parts = items(child(target, 'allOf'));
  if (parts.length > 0) {
    return fc
      .tuple(...parts.map((part) => fitting(document, part)))
      .map((values) => Object.assign({}, ...values) as unknown);
  }
  const { value: type } = child(target, 'type');
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  return fc.oneof(...types.map((each) => ofType(document, target, each)));
}

function ofType(document: Node, schema: Place, type: unknown): fc.Arbitrary<unknown> {
  switch (type) {
    case 'string':
      return mostly(12, stringOf(schema), fc.constantFrom(...TEXTS));
    case 'integer':
    case 'number':
      return mostly(8, numberOf(schema, type), fc.constantFrom(...NUMBERS));
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return arrayOf(document, schema);
    case 'object':
      return objectOf(document, schema);
    default:
      return fc.jsonValue({ maxDepth: 1 });
  }
}

function stringOf(schema: Place): fc.Arbitrary<string> {
  const { value: format } = child(schema, 'format');
  const known = typeof format === 'string' ? FORMATS[format] : undefined;
  if (known !== undefined) return mostly(3, fc.constantFrom(...known[0]), fc.constantFrom(...known[1]));
  const { value: pattern } = child(schema, 'pattern');
  if (typeof pattern === 'string' && pattern.includes('9')) return fc.nat({ max: 999 }).map(String);
  const [minLength, maxLength] = [boundOf(schema, 'minLength', 0), boundOf(schema, 'maxLength', 12)];
  return fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, 12)) });
}

function numberOf(schema: Place, type: 'integer' | 'number'): fc.Arbitrary<number> {
  const [min, max] = [boundOf(schema, 'minimum', 0), boundOf(schema, 'maximum', 100)];
  return type === 'integer'
    ? fc.integer({ min, max: Math.max(min, max) })
    : fc.integer({ min: min * 100 + 1, max: Math.max(min, max) * 100 }).map((cents) => cents / 100);
}

function boundOf(schema: Place, keyword: string, otherwise: number): number {
  const { value } = child(schema, keyword);
  return typeof value === 'number' ? value : otherwise;
}

function arrayOf(document: Node, schema: Place): fc.Arbitrary<unknown> {
  const prefix = items(child(schema, 'prefixItems')).map((each) => valuesOf(document, each));
  const each = child(schema, 'items');
  const rest = isNode(each.value) ? valuesOf(document, each) : fc.jsonValue({ maxDepth: 0 });
  const more = fc.array(rest, { minLength: boundOf(schema, 'minItems', 0), maxLength: 4, size: 'small' });
  if (prefix.length === 0) return mostly<unknown[]>(20, more, fc.constant([]));
  return fc.tuple(fc.tuple(...prefix), mostly<unknown[]>(4, fc.constant([]), more)).map((all) => all.flat());
}

function objectOf(document: Node, schema: Place): fc.Arbitrary<unknown> {
  const { value: required } = child(schema, 'required');
  const names: readonly unknown[] = Array.isArray(required) ? required : [];
  const own = entries(child(schema, 'properties')).map(([name, property]) => {
    const value = valuesOf(document, property).map((each): [string, unknown] => [name, each]);
    // A required property is left out one time in 40, an optional one every other time.
    return mostly(names.includes(name) ? 40 : 1, value, fc.constant(undefined));
  });
  const stranger = fc.tuple(
    fc.constantFrom('x', 'toString', '__proto__', 'Upper', ''),
    fc.constantFrom(1, 'x', null),
  );
  return fc
    .tuple(
      fc.tuple(...own),
      mostly<[string, unknown][]>(20, fc.constant([]), fc.array(stranger, { maxLength: 2 })),
    )
    .map(
      ([known, others]) =>
        Object.fromEntries([...known.filter((entry) => entry !== undefined), ...others]) as unknown,
    );
}
