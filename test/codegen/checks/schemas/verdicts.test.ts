/** Tests what compiled checks accept and refuse, keyword by keyword, in both versions of OpenAPI. */
import { expect } from 'chai';
import { failuresOf } from '../../../../src/runtime/failures/failures-of.js';
import { checkOf, documentOf } from './compiled.js';
import { beside, both, only30, only31, tree } from './verdict-rows.js';

for (const [version, rows] of [
  ['3.0.3', [...both, ...only30]],
  ['3.1.0', [...both, ...only31]],
] as const) {
  describe(`a compiled check, OpenAPI ${version}`, () => {
    for (const [what, schema, accepted, refused] of rows) {
      it(what, async () => {
        const check = await checkOf(documentOf(version, { ...beside[version], Schema: schema }), 'Schema');
        for (const value of accepted) {
          expect(check(structuredClone(value)), JSON.stringify(value)).to.equal(true);
          expect(failuresOf(check, structuredClone(value))).to.deep.equal([]);
        }
        for (const value of refused) {
          expect(check(structuredClone(value)), JSON.stringify(value)).to.equal(false);
          expect(failuresOf(check, structuredClone(value))).not.to.deep.equal([]);
        }
      });
    }
  });
}

describe('the failure of a compiled check', () => {
  it('names the place, the keyword and what was expected', async () => {
    const check = await checkOf(documentOf('3.0.3', { Schema: tree }), 'Schema');
    const value = { value: 1, children: [{ value: 1, children: [{ value: 'x' }] }] };
    expect(check(value)).to.equal(false);
    expect(failuresOf(check, value)).to.deep.equal([
      {
        instancePath: '/children/0/children/0/value',
        keyword: 'type',
        params: { type: 'integer' },
        message: 'must be integer',
      },
    ]);
  });

  it('is one of all that the value has', async () => {
    const schema = {
      type: 'object',
      required: ['a', 'b'],
      properties: {
        c: { type: 'string' },
        d: { anyOf: [{ type: 'string' }, { minimum: 5, type: 'number' }] },
      },
      additionalProperties: false,
    };
    const check = await checkOf(documentOf('3.0.3', { Schema: schema }), 'Schema');
    expect(
      failuresOf(check, { c: 1, d: 4, e: 1 }).map(
        ({ instancePath, message }) => `${instancePath} ${message}`,
      ),
    ).to.deep.equal([
      " must have required property 'a'",
      " must have required property 'b'",
      ' must NOT have additional properties',
      '/c must be string',
      '/d must match a schema in anyOf',
    ]);
  });
});
