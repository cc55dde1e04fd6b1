/** Compares compiled checks with Ajv itself on random schemas and values: rewriting its code must change no verdict. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import fc from 'fast-check';
import type { Schema } from '../../../src/codegen/schemas/document.js';
import type { ValidatorRequest } from '../../../src/codegen/schemas/compile-validators.js';
import { compiled, component, documentOf, imported } from './compiled.js';

const COMPONENTS = ['A', 'B', 'C'] as const;
const name = fc.constantFrom('a', 'b', 'c');
const type = fc.constantFrom('string', 'integer', 'number', 'boolean', 'object', 'array', 'null');
const bound = fc.integer({ min: 0, max: 3 });

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', maxDepth: 3 },
    fc.constantFrom<unknown>(null, true, false, 0, 1, 2, -1, 1.5, '', 'a', 'b', 'abc'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.oneof(name, fc.constant('d')), tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

/** Schemas that refer to the components and to themselves through them. */
const { schema } = fc.letrec<Record<'schema' | 'leaf' | 'object' | 'array' | 'composed', Schema>>((tie) => {
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
    unevaluatedProperties: fc.constant(false),
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
      fc.record({ minimum: bound, exclusiveMaximum: bound, multipleOf: fc.constantFrom(1, 2) }, optional),
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
        maxProperties: bound,
        dependentRequired: fc.constant({ a: ['b'] }),
        dependentSchemas: tie('schema').map((inner) => ({ a: inner })),
        unevaluatedProperties: fc.oneof(fc.constant(false), tie('schema')),
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
          minItems: bound,
          uniqueItems: fc.boolean(),
          unevaluatedItems: fc.oneof(fc.constant(false), tie('schema')),
        },
        optional,
      )
      // Ajv 8.20 forgets `contains` where a list is shorter than its `prefixItems`; ours does not.
      .filter((array) => array.prefixItems === undefined || array.contains === undefined),
    // All of them at once hold for next to no value.
    composed: fc
      .subarray(Object.keys(compositions), { minLength: 1, maxLength: 3 })
      .chain((keywords) =>
        fc.record(
          Object.fromEntries(keywords.map((keyword) => [keyword, compositions[keyword] ?? fc.constant({})])),
        ),
      ),
  };
});

const documents = fc.record({ A: schema, B: schema, C: schema });
const values = fc.array(value, { minLength: 20, maxLength: 20 });

describe('a compiled check and Ajv agree', () => {
  for (const direction of ['request', 'response'] as const) {
    it(`on random schemas and values, in a ${direction}`, async function () {
      this.timeout(60_000);
      let compared = 0;
      await fc.assert(
        fc.asyncProperty(documents, values, async (schemas, candidates) => {
          const document = documentOf('3.1.0', schemas);
          const wanted: readonly ValidatorRequest[] = COMPONENTS.map((each) => component(each, direction));
          const { gaps, trivial, [`${direction}s` as const]: file } = compiled(document, wanted);
          // Ajv overflows the stack on these; here they are gaps, which other tests look at.
          fc.pre(gaps.every(({ code }) => code !== 'endless-reference'));
          expect(gaps).to.deep.equal([]);
          const checks = await imported(file.js);
          const ajv = ajvOf(document);
          for (const each of COMPONENTS) {
            const reference: ValidateFunction = ajv.compile({ $ref: `document#/components/schemas/${each}` });
            const check = checks[`check${each}`];
            expect(check === undefined).to.equal(trivial.has(`check${each}`));
            for (const candidate of candidates) {
              const holds = check?.(structuredClone(candidate)) ?? true;
              expect(holds, `${each} ${JSON.stringify(candidate)}`).to.equal(
                reference(structuredClone(candidate)),
              );
              expect(check === undefined || (check.errors === null) === holds).to.equal(true);
              compared += 1;
            }
          }
        }),
        { numRuns: 60 },
      );
      expect(compared).to.be.greaterThan(1000);
    });
  }
});

function ajvOf(document: object): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, strictNumbers: true, validateSchema: false, logger: false });
  ajv.addSchema({ $id: 'document', ...document });
  return ajv;
}
