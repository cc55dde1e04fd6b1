/** Random schemas and values for property tests: small enough that many values hold, tangled enough to matter. */
import fc from 'fast-check';
import type { AnySchema } from '../any-schema.js';

/** The names of the schemas of a random document. */
export const COMPONENTS = ['A', 'B', 'C'] as const;
const name = fc.constantFrom('a', 'b', 'c');
const type = fc.constantFrom('string', 'integer', 'number', 'boolean', 'object', 'array', 'null');
const bound = fc.integer({ min: 0, max: 3 });

/** JSON values of the kinds that the schemas speak about. */
export const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', maxDepth: 3 },
    fc.constantFrom<unknown>(null, true, false, 0, 1, 2, -1, 1.5, '', 'a', 'b', 'abc', 'a🙂b'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.oneof(name, fc.constant('d')), tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

/**
 * Documents of three schemas that refer to one another and to themselves.
 *
 * @param unevaluated whether they have `unevaluatedProperties` and `unevaluatedItems`
 */
export function randomSchemas(
  unevaluated: boolean,
): fc.Arbitrary<Record<(typeof COMPONENTS)[number], AnySchema>> {
  const { schema } = fc.letrec<Record<'schema' | 'leaf' | 'object' | 'array' | 'composed', AnySchema>>(
    (tie) => {
      const some = fc.array(tie('schema'), { minLength: 1, maxLength: 3 });
      const reference = fc
        .constantFrom(...COMPONENTS)
        .map((target) => ({ $ref: `#/components/schemas/${target}` }));
      const optional = { requiredKeys: [] };
      const compositions: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
        $ref: reference.map(({ $ref }) => $ref),
        allOf: some,
        anyOf: some,
        oneOf: some,
        not: tie('schema'),
        if: tie('schema'),
        then: tie('schema'),
        else: tie('schema'),
        ...(unevaluated && { unevaluatedProperties: fc.constant(false) }),
      };
      return {
        schema: fc.oneof(
          { depthSize: 'small', maxDepth: 4 },
          tie('leaf'),
          tie('object'),
          tie('array'),
          tie('composed'),
          reference,
        ),
        leaf: fc.oneof(
          fc.boolean(),
          fc.constant({}),
          type.map((one) => ({ type: one })),
          fc.uniqueArray(type, { minLength: 1 }).map((several) => ({ type: several })),
          fc.array(value, { minLength: 1, maxLength: 3 }).map((values) => ({ enum: values })),
          value.map((only) => ({ const: only })),
          fc.record(
            {
              minimum: bound,
              exclusiveMinimum: bound,
              maximum: bound,
              exclusiveMaximum: bound,
              multipleOf: fc.constantFrom(1, 2, 0.5),
            },
            optional,
          ),
          fc.record({ maxLength: bound, minLength: bound, pattern: fc.constantFrom('^a', 'b$') }, optional),
        ),
        object: fc.record(
          {
            type: fc.constant('object'),
            properties: fc.dictionary(name, tie('schema'), { maxKeys: 3, noNullPrototype: true }),
            required: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 3 }),
            additionalProperties: fc.oneof(fc.constant(false), tie('schema')),
            patternProperties: tie('schema').map((inner) => ({ '^[ab]': inner })),
            propertyNames: fc.constant({ maxLength: 1 }),
            minProperties: bound,
            maxProperties: bound,
            dependentRequired: fc.constant({ a: ['b'] }),
            dependentSchemas: tie('schema').map((inner) => ({ a: inner })),
            ...(unevaluated && { unevaluatedProperties: fc.oneof(fc.constant(false), tie('schema')) }),
          },
          optional,
        ),
        array: fc
          .record(
            {
              type: fc.constant('array'),
              items: tie('schema'),
              prefixItems: some,
              contains: tie('schema'),
              minContains: bound,
              maxContains: bound,
              minItems: bound,
              maxItems: bound,
              uniqueItems: fc.boolean(),
              ...(unevaluated && { unevaluatedItems: fc.oneof(fc.constant(false), tie('schema')) }),
            },
            optional,
          )
          // For an empty list Ajv 8.20 forgets one of the two; ours does not.
          .filter(
            ({ prefixItems, contains }) => unevaluated || prefixItems === undefined || contains === undefined,
          ),
        // All of them at once hold for next to no value.
        composed: fc
          .subarray(Object.keys(compositions), { minLength: 1, maxLength: 3 })
          .chain((keywords) =>
            fc.record(
              Object.fromEntries(
                keywords.map((keyword) => [keyword, compositions[keyword] ?? fc.constant({})]),
              ),
            ),
          ),
      };
    },
  );
  return fc.record({ A: schema, B: schema, C: schema });
}
