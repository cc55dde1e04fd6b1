/** Tests what compiled checks accept and refuse, keyword by keyword, in both versions of OpenAPI. */
import { expect } from 'chai';
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
          expect(check.errors).to.equal(null);
        }
        for (const value of refused) {
          expect(check(structuredClone(value)), JSON.stringify(value)).to.equal(false);
          expect(check.errors?.[0]?.message).to.be.a('string');
        }
      });
    }
  });
}

describe('the error of a compiled check', () => {
  it('names the place, the keyword and what was expected', async () => {
    const check = await checkOf(documentOf('3.0.3', { Schema: tree }), 'Schema');
    expect(check({ value: 1, children: [{ value: 1, children: [{ value: 'x' }] }] })).to.equal(false);
    expect(check.errors).to.deep.equal([
      {
        instancePath: '/children/0/children/0/value',
        keyword: 'type',
        params: { type: 'integer' },
        message: 'must be integer',
      },
    ]);
  });

  it('is gone after a value that holds', async () => {
    const check = await checkOf(
      documentOf('3.0.3', {
        A: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'integer' }] } },
      }),
      'A',
    );
    expect(check([null])).to.equal(false);
    expect(check(['a', 1])).to.equal(true);
    expect(check.errors).to.equal(null);
  });
});
