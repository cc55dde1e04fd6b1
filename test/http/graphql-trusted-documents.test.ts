/** Trusted documents: the manifests that tools write, what is served with one, and what a broken one says at start. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { run as runProgram, useDirectory } from '../service/run.js';
import { RawSocket } from '../support/raw-socket.js';
import { useService } from '../support/service.js';
import { ask, codesOf, post, run } from './graphql-requests.js';

const known = 'query Names { users { name } }';
const watched = 'subscription Watch { postAdded { id } }';
const ids = { known: 'sha256:1', watched: 'sha256:2' };

const manifests: Readonly<Record<string, unknown>> = {
  'an object of sources by id': { [ids.known]: known, [ids.watched]: watched },
  "Apollo's persisted query manifest": {
    format: 'apollo-persisted-query-manifest',
    version: 1,
    operations: [
      { id: ids.known, name: 'Names', type: 'query', body: known },
      { id: ids.watched, name: 'Watch', type: 'subscription', body: watched },
    ],
  },
};

for (const [format, manifest] of Object.entries(manifests)) {
  describe(`GraphQL with trusted documents from ${format}`, () => {
    let directory = '';
    const service = useService(async () => {
      directory = await mkdtemp(join(tmpdir(), 'concordat-trusted-'));
      const graphqlTrustedDocuments = join(directory, 'manifest.json');
      await writeFile(graphqlTrustedDocuments, JSON.stringify(manifest));
      return { graphqlTrustedDocuments };
    });
    after(() => rm(directory, { recursive: true }));

    it('serves them by id or by source, however the id is given', async () => {
      const expected = { data: { users: [] } };
      expect((await post(service, { documentId: ids.known })).result).to.deep.equal(expected);
      const extensions = { persistedQuery: { version: 1, sha256Hash: ids.known } };
      expect((await post(service, { extensions })).result).to.deep.equal(expected);
      for (const name of ['documentId=sha256:1', `extensions=${JSON.stringify(extensions)}`]) {
        const answer = await ask(service, { method: 'GET', query: encodeURI(name) });
        expect(answer.result).to.deep.equal(expected);
      }
      expect(await run(service, known)).to.deep.equal(expected);
    });

    it('serves nothing else, whatever it is asked over', async () => {
      const accept = 'application/graphql-response+json';
      const others = [
        { query: '{ users { id } }' },
        { query: `${known} ` },
        { query: '{ __schema { types { name } } }' },
        { documentId: 'sha256:3' },
        { documentId: '__proto__' },
        { documentId: 'sha256:3', query: known },
      ];
      for (const other of others) {
        const answer = await post(service, other, { accept });
        expect(answer.status, answer.text).to.equal(400);
        expect(codesOf(answer.result ?? {})).to.deep.equal(['FORBIDDEN']);
      }
      const query = 'subscription { postAdded { title } }';
      const stream = await post(service, { query }, { accept: 'text/event-stream' });
      expect(stream.text).to.include('"FORBIDDEN"').and.to.include('event: complete');
      const socket = await RawSocket.connect(service.url);
      socket.subscribe('1', query);
      const refused = await socket.hear();
      expect(refused.type).to.equal('error');
      expect(refused.payload).to.have.nested.property('[0].extensions.code', 'FORBIDDEN');
      // The protocol wants a query also where the id stands for it.
      socket.say({ type: 'subscribe', id: '2', payload: { query: '', documentId: ids.known } });
      expect(await socket.hear()).to.deep.include({ type: 'next', payload: { data: { users: [] } } });
      await socket.close();
    });
  });
}

describe('GraphQL without trusted documents', () => {
  const service = useService();

  it('refuses the hash of a persisted query and the id of a document, whatever it is asked over', async () => {
    const message = 'PersistedQueryNotSupported';
    const extensions = { persistedQuery: { version: 1, sha256Hash: 'ab12' } };
    const code = 'PERSISTED_QUERY_NOT_SUPPORTED';
    const refusal = { errors: [{ message, extensions: { code } }] };
    for (const parameters of [{ extensions }, { documentId: 'sha256:1' }, { query: '', documentId: 'a' }]) {
      for (const accept of [
        'application/json',
        'application/graphql-response+json',
        'text/event-stream',
        '*/*',
      ]) {
        const answer = await post(service, parameters, { accept });
        expect(answer.status, answer.text).to.equal(400);
        expect(answer.result).to.deep.equal(refusal);
      }
    }
    for (const name of ['documentId=a', `extensions=${JSON.stringify(extensions)}`]) {
      const answer = await ask(service, { method: 'GET', query: encodeURI(name) });
      expect([answer.status, answer.result]).to.deep.equal([400, refusal]);
    }
    const socket = await RawSocket.connect(service.url);
    socket.say({ type: 'subscribe', id: '1', payload: { query: '', documentId: 'a' } });
    expect(await socket.hear()).to.deep.equal({ type: 'error', id: '1', payload: refusal.errors });
    await socket.close();
  });

  it('serves a query beside its hash or id, which it does not look at', async () => {
    const query = '{ __typename }';
    const extensions = { persistedQuery: { version: 1, sha256Hash: 'ab12' } };
    for (const parameters of [
      { query, extensions },
      { query, documentId: 'a' },
    ]) {
      expect((await post(service, parameters)).result).to.deep.equal({ data: { __typename: 'Query' } });
    }
  });
});

describe('a broken manifest of trusted documents', () => {
  const file = useDirectory();

  const broken: Readonly<Record<string, readonly [text: string | undefined, says: RegExp]>> = {
    'that is not there': [undefined, /ENOENT/],
    'that is no JSON': ['{ "a": ', /JSON/],
    'that is a list': ['[]', /a manifest of trusted documents must be a JSON object/],
    'that is null': ['null', /a manifest of trusted documents must be a JSON object/],
    'with a source that is no text': [
      '{ "a": "{ me { id } }", "b": 1 }',
      /the trusted document "b" must be a string/,
    ],
    'with an operation that is none': [
      '{ "operations": [null] }',
      /operations\/0 must have an id and a body, both strings/,
    ],
    'with an operation without a body': [
      '{ "operations": [{ "id": "a", "body": "{ me { id } }" }, { "id": "b" }] }',
      /operations\/1 must have an id and a body, both strings/,
    ],
  };
  for (const [index, [what, [text, says]]] of Object.entries(broken).entries()) {
    it(`${what} stops the start with one sentence that names it`, async () => {
      const path = file(`manifest-${String(index)}.json`);
      if (text !== undefined) await writeFile(path, text);
      const { exitCode, stderr, stdout } = await runProgram(['serve'], {
        DATABASE_URL: 'memory:',
        PORT: '0',
        LOG_LEVEL: 'silent',
        GRAPHQL_TRUSTED_DOCUMENTS: path,
      });
      expect(exitCode).to.equal(1);
      expect(stderr.trim().split('\n')).to.have.length(1);
      expect(stderr).to.include(`GRAPHQL_TRUSTED_DOCUMENTS (${path}) cannot be read: `).and.match(says);
      expect(stdout).not.to.include('listens on');
    });
  }
});
