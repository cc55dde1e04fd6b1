/** Tests of encoding: only declared answers are sent, and no header can be injected. */
import { expect } from 'chai';
import type { ResponseContract } from '../../../../src/runtime/contract/contract.js';
import type { Answer } from '../../../../src/runtime/rest/operation/handler.js';
import {
  bodyOf,
  oneOperation,
  problem,
  type OneOperationOptions,
  type RequestDraft,
} from '../one-operation.js';

const json: ResponseContract = { content: { 'application/json': { kind: 'json' } } };
const jsonAndText: ResponseContract = {
  content: { 'application/json': { kind: 'json' }, 'text/plain': { kind: 'text' } },
};

function answering(
  answer: unknown,
  responses: Readonly<Record<string, ResponseContract>>,
  request: RequestDraft = {},
  options: OneOperationOptions = {},
) {
  const engine = oneOperation({ operation: { responses }, handler: () => answer, ...options });
  return engine.send(request).then((response) => ({ response, reported: engine.reported }));
}

/** Demands that an answer is masked, and told of in these words. */
async function expectMasked(
  answer: unknown,
  responses: Readonly<Record<string, ResponseContract>>,
  words: RegExp,
): Promise<void> {
  const { response, reported } = await answering(answer, responses);
  expect(response.status).to.equal(500);
  expect(bodyOf(response)).to.deep.equal(problem(500, 'Internal Server Error', 'Internal server error'));
  expect(response.headers).to.deep.equal({ 'Content-Type': 'application/problem+json' });
  expect(reported.map(String).join()).to.match(words);
}

describe('the step encode', () => {
  it('writes JSON with its media type', async () => {
    const { response } = await answering({ status: 200, body: { a: [1, 'é'] } }, { '200': json });
    expect(response).to.deep.equal({
      status: 200,
      headers: { 'Content-Type': 'application/json' },
      body: '{"a":[1,"é"]}',
    });
  });

  it('hands on text and bytes as they are', async () => {
    const bytes = Uint8Array.of(0, 255);
    const responses: Record<string, ResponseContract> = {
      '200': { content: { 'image/png': { kind: 'bytes' } } },
      '201': { content: { 'text/plain': { kind: 'text' } } },
    };
    expect((await answering({ status: 200, body: bytes }, responses)).response.body).to.equal(bytes);
    expect((await answering({ status: 201, body: 'text' }, responses)).response.body).to.equal('text');
  });

  it('writes numbers and truth as text, where the schema of the text is one of those', async () => {
    const responses: Record<string, ResponseContract> = {
      '200': { content: { 'text/plain': { kind: 'text' } } },
    };
    expect((await answering({ status: 200, body: 1.5 }, responses)).response.body).to.equal('1.5');
    expect((await answering({ status: 200, body: false }, responses)).response.body).to.equal('false');
  });

  it('writes other media types with the encoders of the service, told what schema the value has', async () => {
    const calls: unknown[][] = [];
    const encoders = {
      'application/yaml': (...call: unknown[]) => {
        calls.push(call);
        return 'yaml';
      },
    };
    const responses = {
      '200': { content: { 'application/yaml': { kind: 'other', schema: 'Thing' } } },
    } as const;
    const { response } = await answering({ status: 200, body: 1 }, responses, {}, { encoders });
    expect(response).to.deep.include({ body: 'yaml', headers: { 'Content-Type': 'application/yaml' } });
    await answering({ status: 200, body: 2, schema: 'OtherThing' }, responses, {}, { encoders });
    expect(calls).to.deep.equal([
      [1, 'Thing'],
      [2, 'OtherThing'],
    ]);
  });

  describe('the representation', () => {
    it('is what suits the client, with Vary', async () => {
      const request = { headers: { accept: 'text/plain' } };
      const { response } = await answering({ status: 200, body: 'x' }, { '200': jsonAndText }, request);
      expect(response).to.deep.equal({
        status: 200,
        headers: { 'Content-Type': 'text/plain', Vary: 'Accept' },
        body: 'x',
      });
    });

    it('is the one that the handler names, before the preference of the client', async () => {
      const answer = { status: 200, contentType: 'application/json', body: 'x' };
      const request = { headers: { accept: 'text/plain' } };
      const { response } = await answering(answer, { '200': jsonAndText }, request);
      expect(response.headers['Content-Type']).to.equal('application/json');
      expect(response.body).to.equal('"x"');
    });

    it('is the first of a status that lacks the preferred type of the client', async () => {
      const request = { headers: { accept: 'text/plain' } };
      const responses = { '200': jsonAndText, '404': json };
      const { response } = await answering({ status: 404, body: {} }, responses, request);
      expect(response.headers['Content-Type']).to.equal('application/json');
    });

    it('fills the range of the contract, with its parameters', async () => {
      const responses = { '200': { content: { 'text/*': { kind: 'text' } } } } as const;
      for (const contentType of ['text/csv', 'text/html; charset=utf-8']) {
        const { response } = await answering({ status: 200, contentType, body: 'x' }, responses);
        expect(response.headers['Content-Type']).to.equal(contentType);
      }
    });
  });

  describe('Vary', () => {
    const vary = async (own: string | undefined): Promise<unknown> => {
      const answer = { status: 200, headers: { Vary: own }, body: 'x' };
      return (await answering(answer, { '200': jsonAndText })).response.headers['Vary'];
    };

    it('has the request headers that the operation names, in answers and refusals', async () => {
      const operation = { extensions: { 'x-vary': ['X-Version', 'X-Region'] } };
      const { response } = await answering(
        { status: 200, body: 'x' },
        {},
        {},
        { operation: { ...operation, responses: { '200': json } } },
      );
      expect(response.headers['Vary']).to.equal('X-Version, X-Region');
      const negotiated = { operation: { ...operation, responses: { '200': jsonAndText } } };
      const chosen = await answering(
        { status: 200, headers: { Vary: 'Origin' }, body: 'x' },
        {},
        {},
        negotiated,
      );
      expect(chosen.response.headers['Vary']).to.equal('Origin, Accept, X-Version, X-Region');
      const refused = await answering({}, {}, { headers: { accept: 'image/png' } }, negotiated);
      expect(refused.response).to.include({ status: 406 });
      expect(refused.response.headers['Vary']).to.equal('X-Version, X-Region');
    });

    it('adds Accept to the Vary of the handler', async () => {
      expect(await vary(undefined)).to.equal('Accept');
      expect(await vary('X-Version')).to.equal('X-Version, Accept');
      expect(await vary('Accept-Language')).to.equal('Accept-Language, Accept');
    });

    it('says nothing twice', async () => {
      for (const own of ['Accept', 'accept, X-Version', 'X-Version,ACCEPT', '*']) {
        expect(await vary(own)).to.equal(own);
      }
    });

    it('is on a 304 as on the corresponding 200 (RFC 9110 §15.4.5)', async () => {
      const responses = { '200': jsonAndText, '304': {} };
      const { response } = await answering({ status: 304, headers: { ETag: '"1"' } }, responses);
      expect(response).to.deep.equal({ status: 304, headers: { ETag: '"1"', Vary: 'Accept' } });
    });
  });

  describe('an answer without content', () => {
    for (const status of [204, 205, 304]) {
      it(`has no body and no media type at ${String(status)}, even if the contract gives one`, async () => {
        const { response } = await answering({ status, body: { a: 1 } }, { [String(status)]: json });
        expect(response).to.deep.equal({ status, headers: {} });
      });
    }

    it('has none where the contract has none', async () => {
      const { response } = await answering({ status: 302, headers: { Location: '/' } }, { '302': {} });
      expect(response).to.deep.equal({ status: 302, headers: { Location: '/' } });
    });
  });

  describe('headers', () => {
    const withHeaders = (headers: Answer['headers'], contract: ResponseContract = {}) =>
      answering({ status: 204, headers }, { '204': contract }).then(({ response }) => response.headers);

    it('are written by the style of the contract', async () => {
      const ids = { A: [1, 2], B: { R: 1, G: 2 }, C: true, D: 1.5, E: '' };
      const contract = { headers: { A: {}, B: { explode: true }, C: {}, D: {}, E: {} } } as const;
      expect(await withHeaders(ids, contract)).to.deep.equal({
        A: '1,2',
        B: 'R=1,G=2',
        C: 'true',
        D: '1.5',
        E: '',
      });
    });

    it('are left out when undefined', async () => {
      expect(await withHeaders({ A: undefined, B: '1' })).to.deep.equal({ B: '1' });
    });

    it('keep several cookies apart, since they cannot be joined (RFC 6265 §3)', async () => {
      expect(await withHeaders({ 'Set-Cookie': ['a=1', 'b=2'] })).to.deep.equal({
        'Set-Cookie': ['a=1', 'b=2'],
      });
    });

    for (const value of ['a\r\nSet-Cookie: b', 'a\nb', 'a\0b', 'a\u2028b', ['a', 'b\r\n'], { a: '\r' }]) {
      it(`cannot be broken by ${JSON.stringify(value)}`, async () => {
        await expectMasked({ status: 204, headers: { A: value } }, { '204': {} }, /A header cannot hold/);
      });
    }

    it('cannot be broken by a cookie', async () => {
      const headers = { 'Set-Cookie': ['a=1', 'b=2\r\nX: y'] };
      await expectMasked({ status: 204, headers }, { '204': {} }, /A header cannot hold/);
    });

    it('cannot be broken by a media type', async () => {
      const responses = { '200': { content: { 'image/*': { kind: 'bytes' } } } } as const;
      const answer = { status: 200, contentType: 'image/png\r\nSet-Cookie: b', body: Uint8Array.of(1) };
      await expectMasked(answer, responses, /A header cannot hold/);
    });
  });

  describe('an undeclared answer is masked and reported', () => {
    const cases: readonly (readonly [what: string, answer: unknown, words: RegExp])[] = [
      [
        'a status',
        { status: 201, body: {} },
        /doIt answered 201 against its contract: the status 201 is not declared/,
      ],
      [
        'a media type',
        { status: 200, contentType: 'text/html', body: '' },
        /the media type text\/html is not declared/,
      ],
      ['no answer', undefined, /the handler of doIt answered nothing/],
      ['null', null, /the handler of doIt answered nothing/],
      ['a number', 200, /the handler of doIt answered nothing/],
      ['an answer without status', { body: {} }, /doIt answered undefined against its contract/],
      ['a body that JSON cannot hold', { status: 200, body: 1n }, /BigInt/],
      ['no body where one is due', { status: 200 }, /a JSON body cannot be undefined/],
      ['a function', { status: 200, body: () => 1 }, /a JSON body cannot be function/],
      [
        'an object where text is due',
        { status: 200, contentType: 'text/plain', body: {} },
        /a text body cannot be object/,
      ],
    ];
    for (const [what, answer, words] of cases) {
      it(what, async () => {
        await expectMasked(answer, { '200': jsonAndText }, words);
      });
    }

    it('bytes that are none', async () => {
      const responses = { '200': { content: { 'image/png': { kind: 'bytes' } } } } as const;
      await expectMasked({ status: 200, body: { a: 1 } }, responses, /a body of bytes cannot be object/);
    });
  });
});
