/** Values for listed values beside `allOf`, `oneOf` and `anyOf`: both makers of values are held against the compiled check. */

import { expect } from 'chai';
import { arbitraryOfCheck } from '@concordat/tools/fast-check';
import fc from 'fast-check';
import { exampleValue } from '../../../src/tools/values/example-value.js';
import { partsOf } from '../../../src/tools/values/document-parts.js';
import type { OpenApiDocument, SchemaObject } from '../../../src/codegen/contract/schemas/document.js';
import { ContractSchemas } from '../../../src/codegen/contract/schemas/contract-schemas.js';
import { compileValidators } from '../../../src/codegen/checks/schemas/compile-validators.js';
import { imported } from '../../codegen/checks/schemas/compiled.js';
import { cpuTime } from '../../support/durations.js';

const NUMBERS = { oneOf: [{ const: 0 }, { const: 1 }, { const: 2 }] };

/** Each schema with its only value. */
const ROWS: readonly (readonly [schema: SchemaObject, only: unknown])[] = [
  [{ type: 'integer', enum: [1], allOf: [{ oneOf: [{ const: 0 }, { const: 1 }] }] }, 1],
  [{ enum: [2], allOf: [NUMBERS] }, 2],
  [{ const: 1, allOf: [{ anyOf: [{ enum: [0, 2] }, { enum: [1, 2] }] }] }, 1],
  [{ allOf: [NUMBERS, { oneOf: [{ const: 2 }, { const: 3 }] }] }, 2],
  [{ allOf: [NUMBERS, { minimum: 2 }] }, 2],
  [{ type: 'integer', enum: ['a', 7, null] }, 7],
  [{ enum: ['a', 'abc'], allOf: [{ minLength: 2 }] }, 'abc'],
  [{ enum: ['a', 'b'], allOf: [{ pattern: '^b' }] }, 'b'],
  [{ enum: [1, 2], exclusiveMinimum: 1 }, 2],
  [{ type: ['integer', 'null'], oneOf: [{ type: 'string' }, { const: 4 }] }, 4],
  [{ allOf: [{ type: 'string' }, { oneOf: [{ type: 'integer' }, { enum: ['x'] }] }] }, 'x'],
  [{ type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 0.5, multipleOf: 0.25 }, 0.25],
  [
    {
      type: 'object',
      required: ['kind'],
      properties: { kind: { enum: ['b'] } },
      additionalProperties: false,
      oneOf: [{ properties: { kind: { const: 'a' } } }, { properties: { kind: { const: 'b' } } }],
    },
    { kind: 'b' },
  ],
  [
    {
      oneOf: [
        { type: 'object', required: ['a'], properties: { a: false } },
        { type: 'object', required: ['b'], properties: { b: { const: 1 } }, additionalProperties: false },
      ],
    },
    { b: 1 },
  ],
  [{ type: 'array', minItems: 1, maxItems: 1, items: { enum: [1], allOf: [NUMBERS] } }, [1]],
];

describe('values of schemas that list them', () => {
  for (const [schema, only] of ROWS) {
    it(JSON.stringify(schema), async () => {
      const document = {
        openapi: '3.1.0',
        info: { title: 'Values', version: '1' },
        components: { schemas: { Value: schema } },
      } as unknown as OpenApiDocument;
      const at = '#/components/schemas/Value';
      const wanted = { name: 'check', schema: { pointer: at }, direction: 'response' } as const;
      const { check } = await imported(compileValidators(document, [wanted]).responses.js);
      if (check === undefined) throw new Error('there is no check');
      expect(
        exampleValue(partsOf({ node: new ContractSchemas(document).at(at) }), {
          direction: 'response',
          full: true,
        }),
      ).to.deep.equal(only);
      expect(check(structuredClone(only))).to.equal(true);
      const sample = fc.sample(arbitraryOfCheck(check), { numRuns: 20, seed: 1 });
      for (const value of sample) expect(value).to.deep.equal(only);
    });
  }

  it('has none for schemas that contradict each other', () => {
    const schemas = new ContractSchemas({ openapi: '3.1.0' });
    const options = { direction: 'response', full: true } as const;
    for (const schema of [
      { type: 'string', allOf: [{ type: 'integer' }] },
      { enum: [1], allOf: [{ oneOf: [{ const: 0 }, { const: 2 }] }] },
      { type: 'number', exclusiveMinimum: 1, maximum: 1 },
    ])
      expect(exampleValue(partsOf({ node: schemas.made(schema, '#') }), options)).to.equal(undefined);
  });

  it('gives up in time where alternatives multiply without end', () => {
    const node = { $ref: '#/components/schemas/Node' };
    const Node = {
      type: 'object',
      required: ['next', 'other'],
      properties: {
        next: { oneOf: [node, { allOf: [node] }, { allOf: [node, { minProperties: 1 }] }] },
        other: { anyOf: [node, node] },
      },
    };
    const document = { openapi: '3.1.0', components: { schemas: { Node } } } as unknown as OpenApiDocument;
    const taken = cpuTime();
    const value = exampleValue(partsOf({ node: new ContractSchemas(document).made(node, '#') }), {
      direction: 'response',
      full: true,
    });
    expect(value).to.equal(undefined);
    expect(taken()).to.be.lessThan(2_000);
  });
});
