/** Cookie headers, as browsers and others write them. */
import { expect } from 'chai';
import { compileParameters } from '../../../../src/runtime/rest/decode/parameters.js';
import { decodeOne } from './decode-one.js';

describe('cookie parameters', () => {
  const theme = { in: 'cookie', name: 'theme', style: 'form', value: { type: 'string' } } as const;

  const table: readonly (readonly [cookie: string, expected: unknown])[] = [
    ['theme=dark', 'dark'],
    ['a=1;theme=dark ; b=2', 'dark'],
    ['theme="dark blue"', 'dark blue'],
    ['theme="', '"'],
    ['theme=', ''],
    ['theme=a=b&c=d', 'a=b&c=d'],
    ['theme=dark%20blue', 'dark blue'],
    ['theme=specific; theme=general', 'specific'],
    ['theme', undefined],
    ['Theme=dark', undefined],
    ['themes=dark', undefined],
    ['', undefined],
  ];
  for (const [cookie, expected] of table) {
    it(`make ${JSON.stringify(expected)} of ${cookie}`, () => {
      expect(decodeOne(theme, cookie)).to.equal(expected);
    });
  }

  it('are found in several Cookie headers', () => {
    const decode = compileParameters([theme]);
    expect(
      decode({ values: [], query: '', headers: { cookie: ['a=1', 'theme=dark'] } }).cookies,
    ).to.deep.equal({
      theme: 'dark',
    });
  });
});
