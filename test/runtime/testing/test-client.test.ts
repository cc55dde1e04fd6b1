/** Tests the typed client of an engine: the types of the contract, and requests as a transport would pass them. */

import { expect } from 'chai';
import { createServices, openPolicy, serviceEngine } from '@concordat/core';
import { contract, operations } from '@concordat/core/contract';
import { memoryStorage } from '@concordat/core/storage/memory';
import { testClient } from '@concordat/runtime/testing';
import { xmlEncoder } from '@concordat/runtime/xml';
import type { RestContract } from '../../../src/runtime/contract/contract.js';
import type { HttpRequest } from '../../../src/runtime/http/message.js';
import { unexpectedReport } from '../../support/unexpected-report.js';

describe('testClient', () => {
  const requests: HttpRequest[] = [];
  const services = createServices({ storage: memoryStorage(), policy: openPolicy });
  const engine = serviceEngine({
    services,
    xml: xmlEncoder(contract.xmlNames),
    report: unexpectedReport,
  });
  const client = testClient((request) => {
    requests.push(request);
    return engine(request);
  }, contract);

  it('answers with the union of the responses that the contract declares', async () => {
    const body = { name: 'Ada', email: 'ada@example.com' };
    const made = await client.createUser({ headers: { 'Idempotency-Key': '1' }, body });
    if (made.status !== 201) throw new Error(made.body.error);
    const { id, name }: { readonly id: string; readonly name: string } = made.body;
    expect(made.headers).to.include({ location: `/api/users/${id}`, 'content-type': 'application/json' });
    const found = await client.getUser({ path: { id } });
    expect(found.status === 200 && found.body.name).to.equal(name);
    const twice = await client.createUser({ body });
    expect([twice.status, twice.body]).to.deep.equal([409, { error: 'Email already in use' }]);
  });

  it('takes calls without a request where all of it may be left out', async () => {
    const listed = await client.listUsers();
    expect(listed.status === 200 && listed.body).to.deep.include({ total: 1 });
    const page = await client.listUsers({ query: { page: 2, limit: 1 } });
    expect(page.status === 200 && page.body).to.deep.include({ data: [] });
  });

  it('sends the headers of the client and of the call', async () => {
    const signedIn = testClient(engine, contract, { headers: { authorization: 'Bearer nothing' } });
    expect((await signedIn.getProfile()).body).to.deep.equal({ error: 'Invalid token' });
    const answer = await signedIn.getProfile({}, { headers: { authorization: undefined } });
    expect(answer.body).to.deep.equal({ error: 'No token provided' });
    const xml = await client.getUser({ path: { id: '1' } }, { headers: { accept: 'application/xml' } });
    expect(xml.headers['content-type']).to.equal('application/xml');
  });

  it('does not compile with what the contract does not have', () => {
    const calls = [
      // @ts-expect-error -- there is no such operation
      (name: keyof typeof client = 'getUsr') => client[name],
      // @ts-expect-error -- the path has a parameter
      () => client.getUser(),
      // @ts-expect-error -- the parameter is a text
      () => client.getUser({ path: { id: 1 } }),
      // @ts-expect-error -- the query has no such parameter
      () => client.listUsers({ query: { size: 1 } }),
      // @ts-expect-error -- the operation has a body
      () => client.createUser({}),
      // @ts-expect-error -- no answer has this status
      async () => (await client.getUser({ path: { id: '1' } })).status === 418,
      // @ts-expect-error -- not every answer has a name
      (name: keyof Awaited<ReturnType<typeof client.getUser>>['body'] = 'name') => name,
    ];
    expect(calls).to.have.length(7);
  });

  it('rejects where the contract does not declare the status, with what was answered', async () => {
    const { getUser } = operations;
    const { 200: found } = getUser.responses;
    const responses = { 200: found };
    const narrowed: RestContract = {
      ...(contract as unknown as RestContract),
      operations: { getUser: { ...getUser, responses } },
    };
    const call = testClient(engine, narrowed)['getUser'] as unknown as (request: object) => Promise<unknown>;
    const refused = await call({ path: { id: '99' } }).catch(String);
    expect(refused).to.equal(
      'UnexpectedAnswer: getUser was answered 404 against the contract: the status 404 is not declared: {"error":"User not found"}',
    );
  });

  it('does not send a request that has no path', async () => {
    const sent = requests.length;
    for (const [id, sentence] of [
      ['..', 'segments . and ..'],
      ['', 'path/id cannot be empty'],
    ] as const)
      expect(await client.getUser({ path: { id } }).catch(String)).to.include(sentence);
    expect(requests).to.have.length(sent);
  });
});
