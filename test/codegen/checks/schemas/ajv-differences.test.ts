/** Where a compiled check and Ajv 8.20 differ, and are meant to: the schemas of random contracts keep away from these. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { expect } from 'chai';
import { compiledSchema } from '../compiler/compiled-schema.js';

type Row = readonly [why: string, schema: object, value: unknown, isValid: boolean];

const differences: readonly Row[] = [
  ['decimals divide as decimals do', { multipleOf: 0.01 }, 19.99, true],
  ['a name that every object inherits is not there', { required: ['constructor'] }, {}, false],
  [
    'an if that stands alone evaluates',
    { if: { properties: { a: { const: 1 } } }, unevaluatedProperties: false },
    { a: 1 },
    true,
  ],
  [
    'an empty list contains nothing, whatever its prefixItems',
    { prefixItems: [{ minimum: 1 }], contains: true },
    [],
    false,
  ],
  ['a host name needs no dot in a mailbox', { format: 'email' }, 'a@localhost', true],
  ['a label that is no Punycode is no host name', { format: 'hostname' }, 'xn--X', false],
  [
    'a property may be called __proto__',
    JSON.parse('{"properties":{"__proto__":{"type":"number"}}}') as object,
    JSON.parse('{"__proto__":"a"}'),
    false,
  ],
];

describe('a compiled check differs from Ajv', () => {
  for (const [why, schema, value, isValid] of differences) {
    it(`because ${why}`, async () => {
      const ajv = new Ajv2020({ strict: false, formats: fullFormats, logger: false });
      expect((await compiledSchema(schema))(value)).to.equal(isValid);
      expect(ajv.compile(schema)(value)).to.equal(!isValid);
    });
  }
});
