/** What a client writes is what the engine reads, in every style. */
import { expect } from 'chai';
import fc from 'fast-check';
import { namedTexts } from '../../../src/runtime/client/parameter-text.js';
import type { Coercion, ParameterCodec } from '../../../src/runtime/contract/contract.js';
import { compileParameters } from '../../../src/runtime/rest/decode/parameters.js';

type Notation = Pick<ParameterCodec, 'in' | 'style' | 'explode'>;

const notations: readonly Notation[] = (['form', 'spaceDelimited', 'pipeDelimited'] as const).flatMap(
  (style) => [false, true].map((explode) => ({ in: 'query', style, explode }) as const),
);
const cookies: readonly Notation[] = [false, true].map((explode) => ({
  in: 'cookie',
  style: 'form',
  explode,
}));

/** What the engine decodes of what the client wrote. */
function sent(notation: Notation, value: Coercion, given: unknown): unknown {
  const codec: ParameterCodec = { name: 'a b', ...notation, value };
  const pairs = namedTexts(codec, given);
  const decoded = compileParameters([codec])({
    values: [],
    query: notation.in === 'query' ? pairs.join('&') : '',
    headers: notation.in === 'cookie' ? { cookie: pairs.join('; ') } : {},
  });
  return (notation.in === 'query' ? decoded.query : decoded.cookies)['a b'];
}

const text = fc.string({ unit: 'binary', maxLength: 8 });
/** A delimiter that is encoded like any other character cannot be told from it, as OpenAPI says. */
const item = (style: string | undefined) =>
  text.filter(
    (each) =>
      each !== '' &&
      !(style === 'spaceDelimited' && each.includes(' ')) &&
      !(style === 'pipeDelimited' && each.includes('|')),
  );

describe('the parameters that a client writes', () => {
  for (const notation of [...notations, ...cookies.filter(({ explode }) => explode === false)]) {
    const { style, explode } = notation;
    const title = `${notation.in} ${style ?? ''} explode ${String(explode)}`;
    it(`are read as they were given: ${title}`, () => {
      fc.assert(
        fc.property(text, (given) => {
          expect(sent(notation, { type: 'string' }, given)).to.equal(given);
        }),
      );
      fc.assert(
        fc.property(fc.array(item(style), { minLength: 1, maxLength: 4 }), (given) => {
          expect(sent(notation, { type: 'array', items: { type: 'string' } }, given)).to.deep.equal(given);
        }),
      );
      const members = fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), fc.integer(), {
        minKeys: 1,
        maxKeys: 4,
        noNullPrototype: true,
      });
      fc.assert(
        fc.property(members, (given) => {
          const shape: Coercion = { type: 'object', properties: {}, additional: { type: 'integer' } };
          expect(sent(notation, shape, given)).to.deep.equal(given);
        }),
      );
    });
  }

  it('are read as they were given: deepObject, and JSON of a parameter with content', () => {
    const members = fc.dictionary(fc.stringMatching(/^[a-z&= ]{1,5}$/), text, {
      minKeys: 1,
      noNullPrototype: true,
    });
    fc.assert(
      fc.property(members, (given) => {
        const deep = { in: 'query', style: 'deepObject', explode: true } as const;
        expect(sent(deep, { type: 'object', properties: {} }, given)).to.deep.equal(given);
        expect(sent({ in: 'query' }, { type: 'json' }, given)).to.deep.equal(given);
      }),
    );
  });

  it('are none for null, undefined and an empty list', () => {
    const codec = { name: 'a', style: 'form', explode: false, value: { type: 'string' } } as const;
    for (const given of [null, undefined, [], {}]) expect(namedTexts(codec, given)).to.deep.equal([]);
  });

  it('cannot be nested where a style does not say how', () => {
    const codec = { name: 'a', style: 'form', explode: false, value: { type: 'string' } } as const;
    for (const given of [[[1]], { b: { c: 1 } }]) expect(() => namedTexts(codec, given)).to.throw(TypeError);
  });
});
