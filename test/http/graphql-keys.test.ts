/** API keys over GraphQL: they count as over REST, over every transport, for as long as they are active. */

import { expect } from 'chai';
import { operator } from '../../src/core/services/rights/caller.js';
import { openPolicy, protectedPolicy } from '../../src/core/services/rights/policy.js';
import { RawSocket } from '../support/raw-socket.js';
import { onEveryStore } from '../support/stores.js';
import { signInSettings } from '../support/sign-in.js';
import { codesOf, runEveryWay } from './graphql-requests.js';

for (const [name, policy] of [
  ['open', openPolicy],
  ['protected', protectedPolicy],
] as const) {
  onEveryStore(
    `an API key over GraphQL under the ${name} policy`,
    (service) => {
      let userId = '';
      let key = '';
      let keyId = '';
      before(async () => {
        const { users, apiKeys } = service.services;
        const user = { name: 'Ada', email: 'ada@example.com' };
        userId = (await users.create(operator, user)).id;
        const made = await apiKeys.create(operator, { name: 'Warehouse' });
        key = made.key;
        keyId = made.apiKey.id;
      });

      it('reads what it reads over REST', async () => {
        const rest = await service.get(`/api/users/${userId}`, { 'x-api-key': key });
        expect(rest.body).to.include({ email: 'ada@example.com' });
        const query = `{ user(id: ${userId}) { email posts { id } } }`;
        for (const result of await runEveryWay(service, { query }, { 'x-api-key': key })) {
          expect(result).to.deep.equal({ data: { user: { email: 'ada@example.com', posts: [] } } });
        }
      });

      it('is no user, and deletes none', async () => {
        for (const query of ['{ me { id } }', `mutation { deleteUser(id: ${userId}) }`]) {
          for (const result of await runEveryWay(service, { query }, { 'x-api-key': key })) {
            expect(codesOf(result)).to.deep.equal(['UNAUTHENTICATED']);
          }
        }
      });

      it('counts as none when it is not valid', async () => {
        const query = `{ user(id: ${userId}) { email } }`;
        for (const wrong of [`${key}x`, 'x', '']) {
          for (const result of await runEveryWay(service, { query }, { 'x-api-key': wrong })) {
            expect(codesOf(result)).to.deep.equal(policy === openPolicy ? [] : ['UNAUTHENTICATED']);
          }
        }
      });

      it('counts beside a token that is not valid', async () => {
        const query = `{ user(id: ${userId}) { email } }`;
        const credentials = { authorization: 'Bearer forged', 'x-api-key': key };
        for (const result of await runEveryWay(service, { query }, credentials)) {
          expect(codesOf(result)).to.deep.equal([]);
        }
      });

      it('is read from the parameters of a connection, however they are spelled, or from its headers', async () => {
        for (const [payload, headers] of [
          [{ 'x-api-key': key }, {}],
          [{ 'X-API-Key': key }, {}],
          [undefined, { 'X-API-Key': key }],
        ] as const) {
          const socket = await RawSocket.connect(service.url, payload, { headers });
          socket.subscribe('1', `{ user(id: ${userId}) { email } }`);
          expect((await socket.hear()).payload).to.deep.equal({
            data: { user: { email: 'ada@example.com' } },
          });
          await socket.close();
        }
      });

      it('ends a connection once it is deactivated', async () => {
        const socket = await RawSocket.connect(service.url, { 'x-api-key': key });
        await service.services.apiKeys.deactivate(operator, keyId);
        socket.subscribe('1', `{ user(id: ${userId}) { email } }`);
        expect(await socket.closed).to.deep.equal([4403, 'Invalid API key']);
      });

      it('ends a subscription once it is deactivated, at the next event', async () => {
        const { apiKeys, posts } = service.services;
        const made = await apiKeys.create(operator, { name: 'Shop' });
        const socket = await RawSocket.connect(service.url, { 'x-api-key': made.key });
        socket.subscribe('1', 'subscription { postAdded { id } }');
        // The answer to a query shows that the subscription has started.
        socket.subscribe('2', '{ __typename }');
        await socket.hear();
        await apiKeys.deactivate(operator, made.apiKey.id);
        const post = { title: 'T', content: 'C', authorId: userId };
        await posts.create(operator, post);
        expect(await socket.closed).to.deep.equal([4403, 'Invalid API key']);
      });
    },
    () => ({ ...signInSettings, policy }),
  );
}
