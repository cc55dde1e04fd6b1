/** Tests when a body is read, and which requests are refused before. */
import { expect } from 'chai';
import { Problem } from '../../../../src/runtime/http/problem.js';
import { bodyOf, oneOperation, type OneOperation, type RequestDraft } from '../one-operation.js';

function taking(required?: true, bodyLimit?: number): OneOperation {
  return oneOperation({
    operation: {
      parameters: [{ in: 'query', name: 'n', style: 'form', explode: true, value: { type: 'integer' } }],
      requestBody: {
        ...(required && { required }),
        content: { 'application/json': { kind: 'json' }, 'text/*': { kind: 'text' } },
      },
    },
    ...(bodyLimit !== undefined && { bodyLimit }),
    handler: ({ body, contentType, query }) => ({ status: 200, body: { body, contentType, query } }),
  });
}

async function ask(engine: OneOperation, request: RequestDraft): Promise<readonly [number, unknown]> {
  const response = await engine.send(request);
  expect(engine.reported).to.deep.equal([]);
  const body = bodyOf(response) as Record<string, unknown>;
  return [response.status, response.status === 200 ? body : body['detail']];
}

const JSON_TYPE = { 'content-type': 'application/json' };

describe('the step decode', () => {
  it('limits a body by its operation, else by the engine, whole or streamed', async () => {
    const statusOf = async (
      kind: 'json' | 'byte-stream',
      limit: number | undefined,
      body: string,
    ): Promise<number> => {
      const engine = oneOperation({
        operation: {
          requestBody: { ...(limit !== undefined && { limit }), content: { 'application/json': { kind } } },
        },
        bodyLimit: 4,
        handler: async ({ body: given }) => {
          if (kind === 'json') return { status: 200, body: given };
          for await (const piece of given as AsyncIterable<Uint8Array>)
            expect(piece).to.have.length(body.length);
          return { status: 200, body: 'read' };
        },
      });
      return (await engine.send({ headers: JSON_TYPE, body })).status;
    };
    for (const kind of ['json', 'byte-stream'] as const) {
      expect(await statusOf(kind, undefined, '1234'), kind).to.equal(200);
      expect(await statusOf(kind, undefined, '12345'), kind).to.equal(413);
      expect(await statusOf(kind, 6, '123456'), kind).to.equal(200);
      expect(await statusOf(kind, 6, '1234567'), kind).to.equal(413);
      expect(await statusOf(kind, 2, '123'), kind).to.equal(413);
    }
  });

  it('tells the handler the media type as it was sent, without its parameters', async () => {
    const [, seen] = await ask(taking(), {
      body: 'x',
      headers: { 'content-type': 'Text/CSV; charset=utf-8' },
    });
    expect(seen).to.deep.equal({ body: 'x', contentType: 'text/csv', query: {} });
  });

  it('refuses parameters first, whatever becomes of the body', async () => {
    const readBody = (): never => {
      throw new Error('read');
    };
    const answer = await ask(taking(), { query: 'n=x', body: '{', headers: JSON_TYPE, readBody });
    expect(answer).to.deep.equal([400, 'query/n must be integer']);
    for (const headers of [JSON_TYPE, { 'content-type': 'image/png' }, { 'content-encoding': 'gzip' }]) {
      expect(await ask(taking(), { query: 'n=x', body: '{', headers })).to.deep.equal(answer);
    }
  });

  it('takes no body for none, where it may be left out', async () => {
    for (const headers of [{}, JSON_TYPE, { 'content-length': '0' }, { 'content-type': 'image/png' }]) {
      expect(await ask(taking(), { headers })).to.deep.equal([200, { query: {} }]);
      expect(await ask(taking(true), { headers })).to.deep.equal([400, 'body is required']);
    }
  });

  it('refuses other media types with 415, and then reads no body', async () => {
    const readBody = (): never => {
      throw new Error('read');
    };
    for (const type of ['image/png', 'application/jsonx', 'application/*', 'json', '', undefined]) {
      const answer = await ask(taking(), { body: 'x', headers: { 'content-type': type }, readBody });
      expect(answer).to.deep.equal([415, 'The body must be application/json, text/*']);
    }
  });

  it('asks for no more bytes than the limit: 1 MiB, or the setting', async () => {
    const limits: number[] = [];
    const readBody = (limit: number): Promise<Uint8Array> => {
      limits.push(limit);
      return Promise.reject(new Problem(413, 'Too large'));
    };
    for (const engine of [taking(), taking(true, 10)]) {
      expect(await ask(engine, { body: '1', headers: JSON_TYPE, readBody })).to.deep.equal([
        413,
        'Too large',
      ]);
    }
    expect(limits).to.deep.equal([1_048_576, 10]);
  });

  it('reads no body where the operation takes none', async () => {
    const readBody = (): never => {
      throw new Error('read');
    };
    const engine = oneOperation();
    expect(
      (await engine.send({ body: 'x', headers: { 'content-type': 'image/png' }, readBody })).status,
    ).to.equal(200);
  });
});
