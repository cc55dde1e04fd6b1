/** What a GraphQL answer may take, on every store and over every transport. */

import { expect } from 'chai';
import { protectedPolicy } from '../../src/core/services/rights/policy.js';
import { operator } from '../../src/core/services/rights/caller.js';
import { signInAsAdmin, signInSettings } from '../support/sign-in.js';
import { RawSocket } from '../support/raw-socket.js';
import { useService } from '../support/service.js';
import { onEveryStore } from '../support/stores.js';
import { type GraphqlResult, codesOf, post, runEveryWay } from './graphql-requests.js';

const maxResponse = 100_000;
const contentLength = 1_000;
/** More than are read at once, and as much text as fits into one response two and a half times. */
const posts = 250;

const tooLarge: GraphqlResult = {
  errors: [
    {
      message: `The response would have more than ${String(maxResponse)} bytes: ask for less`,
      extensions: { code: 'LIMIT_EXCEEDED' },
    },
  ],
  data: null,
};

const aliased = (count: number, field: string): string =>
  Array.from({ length: count }, (_, n) => `a${String(n)}: ${field}`).join(' ');

onEveryStore(
  'the size of a GraphQL answer',
  (service) => {
    let authorId = '';
    before(async () => {
      const author = { name: 'Ada', email: 'ada@example.com' };
      authorId = (await service.services.users.create(operator, author)).id;
      const post = { title: 'Looms', content: 'x'.repeat(contentLength), authorId };
      for (let number = 0; number < posts; number += 1) await service.services.posts.create(operator, post);
    });

    const refused: Readonly<Record<string, string>> = {
      'texts under many aliases': `{ posts(limit: 10) { ${aliased(29, 'content')} } }`,
      'lists under many aliases': `{ ${aliased(29, 'posts(limit: 10) { content }')} }`,
      'a whole list of texts': '{ posts { content } }',
    };
    for (const [what, query] of Object.entries(refused)) {
      it(`is bounded for ${what}, over every transport`, async () => {
        // The first answers are interpreted, the later compiled.
        for (const result of await runEveryWay(service, { query })) expect(result).to.deep.equal(tooLarge);
      });
    }

    it('is bounded for the texts of an author', async () => {
      const query = `{ user(id: ${authorId}) { posts { content } } }`;
      for (const result of await runEveryWay(service, { query }, await signInAsAdmin(service))) {
        expect(result).to.deep.equal(tooLarge);
      }
    });

    it('does not count texts that are not asked for', async () => {
      const headers = await signInAsAdmin(service);
      for (const result of await runEveryWay(service, { query: '{ posts { id } }' })) {
        expect(result.errors).to.equal(undefined);
        expect(result.data?.['posts']).to.have.length(posts);
      }
      const query = `{ user(id: ${authorId}) { posts { id title } } }`;
      for (const result of await runEveryWay(service, { query }, headers)) {
        expect(result.errors).to.equal(undefined);
        expect(result).to.have.nested.property('data.user.posts').with.length(posts);
      }
    });

    it('lets pass what is within it', async () => {
      const query = '{ posts(limit: 80) { content } }';
      for (const result of await runEveryWay(service, { query })) {
        expect(codesOf(result)).to.deep.equal([]);
        expect(result.data?.['posts']).to.have.length(80);
      }
    });
  },
  () => ({ ...signInSettings, policy: protectedPolicy, graphqlMaxResponse: maxResponse }),
);

describe('a stack-deep GraphQL document', () => {
  const service = useService();
  const documents: Readonly<Record<string, string>> = {
    'lists without an end': `{a(x:${'['.repeat(1990)}`,
    lists: `{a(x:${'['.repeat(990)}${']'.repeat(990)})}`,
    'fields without an end': '{a'.repeat(990),
    'types of variables': `query($v:${'['.repeat(900)}Int${']'.repeat(900)}){__typename}`,
  };
  for (const [what, query] of Object.entries(documents)) {
    it(`is refused for ${what}, over every transport`, async () => {
      for (const result of await runEveryWay(service, { query })) {
        expect(codesOf(result)).to.deep.equal(['LIMIT_EXCEEDED']);
      }
    });
  }

  it('is refused for the values of variables, over every transport', async () => {
    // JSON.stringify cannot write them, so they are sent as text.
    const query = 'query ($v: [[Int]]) { __typename }';
    const text = `{"query":"${query}","variables":{"v":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`;
    for (const accept of ['application/json', 'text/event-stream']) {
      const answer = await post(service, text, { accept });
      expect(answer.status).to.equal(200);
      expect(answer.text).to.include('LIMIT_EXCEEDED');
    }
    const socket = await RawSocket.connect(service.url);
    socket.say(`{"type":"subscribe","id":"1","payload":${text}}`);
    expect((await socket.hear()).payload).to.have.nested.property('[0].extensions.code', 'LIMIT_EXCEEDED');
    await socket.close();
  });
});
