/** How the bytes of a body become a value, by media type. */
import { expect } from 'chai';
import type { BodyCodec } from '../../../src/runtime/contract/contract.js';
import { bodyCodecs } from '../../../src/runtime/rest/operation/forms-and-streams.js';
import { compileRequestBody } from '../../../src/runtime/rest/operation/request-body.js';

/** Decodes a body in the one media type that there is; gives the problem where there is one. */
async function decoded(codec: BodyCodec, bytes: string | Uint8Array, contentType = 'a/b'): Promise<unknown> {
  const body = compileRequestBody({ content: { 'a/b': codec } }, bodyCodecs).content.get('a/b');
  try {
    if (body?.decode === undefined) throw new Error('the body is streamed');
    return await body.decode(Buffer.from(bytes), contentType);
  } catch (error) {
    const { status, message } = error as { status?: number; message: string };
    return `${String(status ?? 'DecodeError')} ${message}`;
  }
}

describe('compileRequestBody', () => {
  it('makes names of prototypes ordinary properties of JSON', async () => {
    const value = await decoded({ kind: 'json' }, '{"__proto__":{"a":1}}');
    expect(Object.keys(value as object)).to.deep.equal(['__proto__']);
    expect((value as { a?: number }).a).to.equal(undefined);
  });

  for (const kind of ['json', 'text'] as const) {
    it(`refuses bytes that are no UTF-8 as ${kind}`, async () => {
      for (const bytes of [[0xff], [0x22, 0xc3, 0x22], [0xed, 0xa0, 0x80], [0xc0, 0xaf]]) {
        expect(await decoded({ kind }, Uint8Array.from(bytes))).to.equal(
          'DecodeError body must be UTF-8 text',
        );
      }
    });

    it(`takes no other charset for ${kind}`, async () => {
      for (const charset of ['utf-8', 'UTF-8', '"utf-8"', 'utf8', 'us-ascii']) {
        expect(String(await decoded({ kind }, '1', `a/b; charset=${charset}`))).to.equal('1');
      }
      const refused = await decoded({ kind }, '1', 'a/b; charset=iso-8859-1');
      expect(refused).to.equal('415 charset iso-8859-1 is not supported; send UTF-8');
    });
  }

  it('keeps the checks, but for bytes, which have none', () => {
    const check = (): boolean => true;
    const { content, required, accepted } = compileRequestBody(
      { required: true, content: { 'a/json': { kind: 'json', check }, 'a/bytes': { kind: 'bytes' } } },
      undefined,
    );
    expect([...content].map(([mediaType, body]) => [mediaType, body.check])).to.deep.equal([
      ['a/json', check],
      ['a/bytes', undefined],
    ]);
    expect([required, accepted]).to.deep.equal([true, 'a/json, a/bytes']);
    expect(compileRequestBody({ content: {} }, undefined).required).to.equal(false);
  });

  it('refuses a form or a stream of a contract that has no functions for them', () => {
    for (const codec of [
      { kind: 'form', fields: {} },
      { kind: 'parts', fields: {} },
      { kind: 'items', items: { format: 'json-lines' } },
    ] as const) {
      expect(() => compileRequestBody({ content: { 'a/b': codec } }, undefined)).to.throw(
        'its contract has no `bodyCodecs` for forms and streams: generate it again',
      );
    }
  });
});
