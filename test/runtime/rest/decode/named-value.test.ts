/** Exploded objects: whose properties are whose. */
import { expect } from 'chai';
import type { ParameterCodec } from '../../../../src/runtime/contract/contract.js';
import { compileParameters } from '../../../../src/runtime/rest/decode/parameters.js';
import { refusalOf } from './decode-one.js';

const string = { type: 'string' } as const;
const integer = { type: 'integer' } as const;

function decode(codecs: readonly ParameterCodec[], query: string) {
  return compileParameters(codecs)({ values: [], query, headers: {} }).query;
}

describe('exploded objects', () => {
  const named = { in: 'query', name: 'color', style: 'form', explode: true } as const;
  const channels: ParameterCodec = {
    ...named,
    value: { type: 'object', properties: { R: integer, G: integer } },
  };
  const free: ParameterCodec = {
    ...named,
    value: { type: 'object', properties: { R: integer }, additional: string },
  };
  const limit: ParameterCodec = { in: 'query', name: 'limit', style: 'form', value: integer };

  it('take the properties they name', () => {
    expect(decode([channels, limit], 'R=1&B=2&limit=3')).to.deep.equal({
      color: { R: 1 },
      limit: 3,
    });
    expect(decode([channels, limit], 'limit=3')).to.deep.equal({ limit: 3 });
  });

  it('take all names that no other parameter claims when any property is allowed', () => {
    const deep: ParameterCodec = {
      in: 'query',
      name: 'deep',
      style: 'deepObject',
      value: { type: 'object', properties: {} },
    };
    expect(decode([free, limit, deep], 'R=1&B=2&limit=3&deep[a]=4&color=5')).to.deep.equal({
      color: { R: 1, B: '2', color: '5' },
      limit: 3,
      deep: { a: '4' },
    });
  });

  it('refuse a name that cannot be decoded where any name would be theirs', () => {
    expect(refusalOf(() => decode([free], '%zz=1'))).to.equal('query is not valid percent-encoding');
  });
});
