/** Tests of GraphQL over HTTP after its draft: the audits of graphql-http, and rules that they lack. */

import { expect } from 'chai';
import { getIntrospectionQuery } from 'graphql';
import { serverAudits } from 'graphql-http';
import { type GraphqlAnswer, type GraphqlResult, ask, codesOf, post, run } from './graphql-requests.js';
import { RawSocket } from '../support/raw-socket.js';
import { useService } from '../support/service.js';

const JSON_TYPE = 'application/json; charset=utf-8';
const RESULT_TYPE = 'application/graphql-response+json';
const body = JSON.stringify({ query: '{ __typename }' });
const typename = { data: { __typename: 'Query' } };

function expectRefusal(answer: GraphqlAnswer, status: number, code: string): void {
  expect(answer.status, answer.text).to.equal(status);
  expect(answer.result).to.have.all.keys('errors');
  expect(answer.result?.errors).to.have.length(1);
  expect(codesOf(answer.result ?? {})).to.deep.equal([code]);
}

describe('GraphQL over HTTP', () => {
  const service = useService();

  describe('passes the audit', () => {
    const audits = serverAudits({ url: () => `${service.url}/graphql` });

    it('suite, which has 61', () => {
      expect(audits).to.have.length(61);
    });

    for (const audit of audits) {
      it(`${audit.id} ${audit.name}`, async () => {
        const result = await audit.fn();
        expect(result.status, 'reason' in result ? result.reason : '').to.equal('ok');
      });
    }
  });

  describe('GET', () => {
    it('answers a query, and HEAD says the same without it', async () => {
      const query = 'query=%7B__typename%7D';
      const got = await ask(service, { method: 'GET', query });
      expect(got.status).to.equal(200);
      expect(got.result).to.deep.equal(typename);
      const head = await ask(service, { method: 'HEAD', query });
      expect(head.status).to.equal(200);
      expect(head.text).to.equal('');
      expect(head.headers['content-type']).to.equal(JSON_TYPE);
      expect(head.headers['content-length']).to.equal(String(got.text.length));
    });

    it('is kept apart in caches by Accept, which chooses the media type or a page, refusals too', async () => {
      for (const [query, accept, status] of [
        ['query=%7B__typename%7D', undefined, 200],
        ['query=%7B__typename%7D', 'application/graphql-response+json', 200],
        ['query=%7B', 'application/graphql-response+json', 400],
        ['query=%7B', 'application/json', 200],
        ['', 'application/json', 400],
        ['query=%7B__typename%7D', 'image/png', 406],
      ] as const) {
        const answer = await ask(service, { method: 'GET', query, headers: accept ? { accept } : {} });
        expect(answer.status, answer.text).to.equal(status);
        expect(answer.headers['vary']?.split(', '), accept).to.include('Accept');
      }
    });

    it('takes variables and the name of the operation', async () => {
      const query = new URLSearchParams({
        query: 'query A { __typename } query B($l: Int) { users(limit: $l) { id } }',
        operationName: 'B',
        variables: '{"l":0}',
      });
      const answer = await ask(service, { method: 'GET', query: query.toString() });
      expect(codesOf(answer.result ?? {})).to.deep.equal(['BAD_USER_INPUT']);
    });

    it('refuses a mutation and says what to use', async () => {
      const query = new URLSearchParams({
        query: 'mutation { createUser(name: "A", email: "a@example.com") { id } }',
      });
      for (const method of ['GET', 'HEAD']) {
        const answer = await ask(service, { method, query: query.toString() });
        expect(answer.status).to.equal(405);
        expect(answer.headers['allow']).to.equal('POST');
      }
      expect((await run(service, '{ users { id } }')).data).to.deep.equal({ users: [] });
    });

    it('refuses a parameter that is given twice', async () => {
      const query = 'query=%7B__typename%7D&query=%7Busers%7Bid%7D%7D';
      expectRefusal(await ask(service, { method: 'GET', query }), 400, 'BAD_USER_INPUT');
    });
  });

  it('answers OPTIONS, and refuses other methods, with those there are', async () => {
    const options = await ask(service, { method: 'OPTIONS' });
    expect([options.status, options.headers['allow']]).to.deep.equal([204, 'GET, HEAD, POST, OPTIONS']);
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const answer = await ask(service, { method });
      expectRefusal(answer, 405, 'BAD_USER_INPUT');
      expect(answer.headers['allow']).to.equal('GET, HEAD, POST, OPTIONS');
    }
  });

  it('answers in the media type that is asked for, and refuses what it cannot write', async () => {
    const types: readonly (readonly [accept: string | undefined, type: string])[] = [
      [undefined, 'application/json'],
      ['*/*', 'application/json'],
      ['application/json', 'application/json'],
      [RESULT_TYPE, RESULT_TYPE],
      [`${RESULT_TYPE}, application/json`, RESULT_TYPE],
      [`${RESULT_TYPE};q=0.1, application/json`, 'application/json'],
      ['application/*', 'application/json'],
    ];
    for (const [accept, type] of types) {
      const answer = await post(service, body, accept === undefined ? {} : { accept });
      expect(answer.status, accept).to.equal(200);
      expect(answer.headers['content-type'], accept).to.equal(`${type}; charset=utf-8`);
    }
    for (const accept of ['text/plain', 'application/xml', `${RESULT_TYPE};q=0`]) {
      expectRefusal(await post(service, body, { accept }), 406, 'BAD_USER_INPUT');
    }
  });

  it('takes nothing that a page of another site could send unasked', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/graphql',
    ]) {
      expectRefusal(await post(service, body, { 'content-type': type }), 415, 'BAD_USER_INPUT');
    }
    expectRefusal(await ask(service, { method: 'POST', body }), 415, 'BAD_USER_INPUT');
    const latin = 'application/json; charset=iso-8859-1';
    expectRefusal(await post(service, body, { 'content-type': latin }), 415, 'BAD_USER_INPUT');
    expect(
      (await post(service, body, { 'content-type': 'Application/JSON;charset="UTF-8"' })).status,
    ).to.equal(200);
  });

  it('refuses batches, broken JSON, broken UTF-8 and bodies over 1 MiB', async () => {
    const batch = await post(service, [{ query: '{ __typename }' }]);
    expectRefusal(batch, 400, 'BAD_USER_INPUT');
    expect(batch.result?.errors?.[0]?.message).to.match(/batch/i);
    expectRefusal(await post(service, '{"query": "{ secret'), 400, 'BAD_USER_INPUT');
    const headers = { 'content-type': 'application/json' };
    const broken = Buffer.concat([
      Buffer.from('{"query":"{__typename} #'),
      Buffer.from([0xff]),
      Buffer.from('"}'),
    ]);
    expectRefusal(await ask(service, { method: 'POST', headers, body: broken }), 400, 'BAD_USER_INPUT');
    const large = JSON.stringify({ query: `{ __typename } #${'x'.repeat(1024 * 1024)}` });
    expectRefusal(await post(service, large), 413, 'LIMIT_EXCEEDED');
    const justRight = JSON.stringify({ query: '{ __typename } #' });
    const padded = justRight.replace('#', `#${'x'.repeat(1024 * 1024 - justRight.length)}`);
    expect((await post(service, padded)).result).to.deep.equal(typename);
  });

  it('says by the status that nothing ran only in the newer media type', async () => {
    const failures: readonly (readonly [parameters: object, code: string])[] = [
      [{ query: '{' }, 'GRAPHQL_PARSE_FAILED'],
      [{ query: '{ nothing }' }, 'GRAPHQL_VALIDATION_FAILED'],
      [{ query: 'query ($l: Int!) { users(limit: $l) { id } }' }, 'BAD_USER_INPUT'],
      [{ query: '{ __typename }', operationName: 'Other' }, 'BAD_USER_INPUT'],
      [{ query: 'query A { __typename } query B { __typename }' }, 'BAD_USER_INPUT'],
      [{ query: `{ ${'__typename '.repeat(2000)}}` }, 'LIMIT_EXCEEDED'],
    ];
    for (const [parameters, code] of failures) {
      expectRefusal(await post(service, parameters), 200, code);
      expectRefusal(await post(service, parameters, { accept: RESULT_TYPE }), 400, code);
    }
    const failed = await post(service, { query: '{ me { id } }' }, { accept: RESULT_TYPE });
    expect(failed.status).to.equal(200);
    expect(failed.result?.data).to.deep.equal({ me: null });
  });

  it('refuses a subscription, and says where it is served', async () => {
    const answer = await post(service, { query: 'subscription { postAdded { id } }' });
    expectRefusal(answer, 400, 'BAD_USER_INPUT');
    expect(answer.result?.errors?.[0]?.message).to.match(/WebSocket/);
  });

  it('holds documents against the limits before it does anything else with them', async () => {
    const nested = (levels: number): string => {
      let selection = 'id';
      for (let level = levels - 1; level > 1; level -= 1) {
        selection = `${level % 2 === 0 ? 'posts' : 'author'} { ${selection} }`;
      }
      return `{ users { ${selection} } }`;
    };
    expect((await run(service, nested(12))).errors).to.equal(undefined);
    expect(codesOf(await run(service, nested(13)))).to.deep.equal(['LIMIT_EXCEEDED']);
    const aliased = (count: number): string =>
      `{ ${Array.from({ length: count }, (_, n) => `a${String(n)}: __typename`).join(' ')} }`;
    expect((await run(service, aliased(30))).errors).to.equal(undefined);
    expect(codesOf(await run(service, aliased(31)))).to.deep.equal(['LIMIT_EXCEEDED']);
  });

  it('takes 2,000 tokens and no more, and does not count introspection as depth', async () => {
    // Eight tokens each, because validation compares every two fields of a name.
    const fields = '__typename @include(if: true) '.repeat(249);
    const tokens = (count: number): string => `{ ${fields} ${'__typename '.repeat(count - 2 - 8 * 249)} }`;
    expect((await run(service, tokens(2000))).errors).to.equal(undefined);
    const { errors, ...rest } = await run(service, tokens(2001));
    expect(rest).to.deep.equal({});
    expect(errors?.map(({ message, extensions }) => [message, extensions.code])).to.deep.equal([
      ['The document has more than 2000 tokens', 'LIMIT_EXCEEDED'],
    ]);
    const repeated = await run(service, `{ ${'__typename '.repeat(1998)} }`);
    expect(repeated.errors?.map(({ message, extensions }) => [message, extensions.code])).to.deep.equal([
      ['The operation has repeats 1998; the limit is 500', 'LIMIT_EXCEEDED'],
    ]);
    const { data } = await run(service, getIntrospectionQuery());
    expect(data).to.have.nested.property('__schema.queryType.name', 'Query');
  });

  it('is not held up by fragments that would fill the memory', async () => {
    const levels = Array.from({ length: 150 }, (_, n) => {
      const next = `...F${String(n + 1)}`;
      return `fragment F${String(n)} on Query { ${next} ${next} }`;
    });
    const query = `{ ...F0 } ${levels.join(' ')} fragment F150 on Query { __typename }`;
    // Several times, so that it is not compiled either.
    for (let turn = 0; turn < 4; turn += 1) expect(await run(service, query)).to.deep.equal(typename);
  });

  it('describes its schema, and suggests names', async () => {
    const { data } = await run(service, '{ __type(name: "User") { fields { name } } }');
    expect(data).to.deep.equal({
      __type: { fields: [{ name: 'id' }, { name: 'name' }, { name: 'email' }, { name: 'posts' }] },
    });
    expect((await run(service, '{ usrs { id } }')).errors?.[0]?.message).to.match(/Did you mean/);
  });
});

describe('GraphQL with introspection off, as in production', () => {
  const service = useService({ graphqlIntrospection: false });

  it('does not describe its schema', async () => {
    for (const query of ['{ __schema { types { name } } }', '{ __type(name: "User") { name } }']) {
      const result = await run(service, query);
      expect(result).to.have.all.keys('errors');
      expect(new Set(codesOf(result))).to.deep.equal(new Set(['GRAPHQL_VALIDATION_FAILED']));
    }
    expect(await run(service, '{ __typename }')).to.deep.equal(typename);
  });

  const near = [
    '{ usrs { id } }',
    '{ users { nam } }',
    '{ users(limt: 1) { id } }',
    '{ users { ... on Usr { id } } }',
  ];
  for (const query of near) {
    it(`does not suggest names for ${query}`, async () => {
      const { errors } = await run(service, query);
      expect(errors).to.have.length(1);
      expect(errors?.[0]?.message).not.to.include('Did you mean');
    });
  }
});

describe('GraphQL with settings of its own', () => {
  const service = useService({
    graphqlMaxDepth: 2,
    graphqlMaxAliases: 0,
    graphqlMaxTokens: 20,
    graphqlMaxBody: 400,
    graphqlMaxNodes: 2,
    graphqlMaxOperations: 1,
  });

  it('keeps to them', async () => {
    expect((await run(service, '{ users { id } }')).errors).to.equal(undefined);
    expect(codesOf(await run(service, '{ users { posts { id } } }'))).to.deep.equal(['LIMIT_EXCEEDED']);
    expect(codesOf(await run(service, '{ a: users { id } }'))).to.deep.equal(['LIMIT_EXCEEDED']);
    expect(codesOf(await run(service, `{ ${'__typename '.repeat(20)}}`))).to.deep.equal(['LIMIT_EXCEEDED']);
    expectRefusal(
      await post(service, { query: `{ __typename } #${'x'.repeat(400)}` }),
      413,
      'LIMIT_EXCEEDED',
    );
  });

  it('keeps to how many items an answer may have, over every way in', async () => {
    for (const name of ['a', 'b', 'c']) {
      await service.post('/api/users', { name, email: `${name}@example.com` });
    }
    const query = '{ users { id } }';
    const socket = await RawSocket.connect(service.url);
    socket.subscribe('1', query);
    const { payload } = await socket.hear();
    await socket.close();
    const stream = await post(service, { query }, { accept: 'text/event-stream' });
    const [, event = ''] = /data: (.+)/.exec(stream.text) ?? [];
    for (const result of [await run(service, query), payload, JSON.parse(event)] as GraphqlResult[]) {
      expect(result.data).to.equal(null);
      expect(codesOf(result)).to.deep.equal(['LIMIT_EXCEEDED']);
      expect(result.errors?.[0]?.message).to.include('limit').and.to.include('after');
    }
    expect((await run(service, '{ users(limit: 2) { id } }')).errors).to.equal(undefined);
  });

  it('keeps to how many operations a socket may have', async () => {
    const socket = await RawSocket.connect(service.url);
    socket.subscribe('1', 'subscription { postAdded { id } }');
    socket.subscribe('2', '{ __typename }');
    const { type, id, payload } = await socket.hear();
    expect([type, id]).to.deep.equal(['error', '2']);
    expect(payload).to.have.nested.property('[0].extensions.code', 'LIMIT_EXCEEDED');
    await socket.close();
  });
});
