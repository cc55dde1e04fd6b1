/** Tests that the subscribers of one event share the reads and the executions, and only where their rights are equal. */
import { expect } from 'chai';
import type { FormattedExecutionResult } from 'graphql';
import type { Storage } from '../../../src/core/ports/storage.js';
import { openGraphqlSession } from '../../../src/core/resolvers/graphql-context.js';
import { createResolvers, serviceGraphqlEngine } from '../../../src/core/resolvers/graphql-engine.js';
import { anonymous } from '../../../src/core/services/rights/caller.js';
import { type Policy, openPolicy, protectedPolicy } from '../../../src/core/services/rights/policy.js';
import { type Services, createServices } from '../../../src/core/services/services.js';
import { memoryStorage } from '../../../src/core/storage/memory.js';
import { jwtCodec } from '../../../src/core/identity/jwt.js';
import { typeDefs } from '../../../generated/schema.js';
import { nextContext } from '../../../src/runtime/graphql/index.js';
import type { RequestHeaders } from '../../../src/runtime/http/message.js';

const tokens = jwtCodec({ accessSecret: 'a'.repeat(32), refreshSecret: 'r'.repeat(32) });
const withAuthor = 'subscription { postAdded { title author { id name } } }';
const withEmail = 'subscription { postAdded { author { email } } }';

interface Watched {
  readonly services: Services;
  readonly storage: Storage;
  /** The calls of `find` and `findMany` of the store of users. */
  readonly reads: { count: number };
}

function open(policy: Policy): Watched {
  const storage = memoryStorage();
  const reads = { count: 0 };
  const find = storage.users.find.bind(storage.users);
  const findMany = storage.users.findMany.bind(storage.users);
  storage.users.find = (...given) => {
    reads.count += 1;
    return find(...given);
  };
  storage.users.findMany = (...given) => {
    reads.count += 1;
    return findMany(...given);
  };
  return { storage, reads, services: createServices({ storage, policy, tokens }) };
}

const addUser = async ({ services }: Watched, name: string): Promise<string> => {
  const input = { name, email: `${name}@example.com` };
  return (await services.users.create(anonymous, input)).id;
};

const tokenOf = (userId: string): string =>
  tokens.signAccess(
    { userId, email: undefined, role: undefined },
    { from: '2026-01-01T00:00:00.000000Z', seconds: 1e9 },
  );

type Results = AsyncGenerator<FormattedExecutionResult, void, void>;

async function subscribe(
  services: Services,
  engine: ReturnType<typeof serviceGraphqlEngine>,
  query: string,
  userId?: string,
  headers: RequestHeaders = userId === undefined ? {} : { authorization: tokenOf(userId) },
): Promise<Results> {
  const session = await openGraphqlSession(services, { headers, address: undefined });
  const operation = engine.prepare({ query });
  if ('errors' in operation) throw new Error('refused');
  const results = await engine.subscribe(operation, undefined, () => nextContext(session));
  if (!(Symbol.asyncIterator in results)) throw new Error(JSON.stringify(results));
  return results;
}

const nextOf = async (results: Results): Promise<FormattedExecutionResult> =>
  (await results.next()).value ?? {};

const fail = (error: unknown): never => {
  throw error;
};

describe('Subscribers of one event', () => {
  it('are read together: 100 users and 10 posts take 20 reads', async () => {
    const watched = open(protectedPolicy);
    const { services, reads } = watched;
    const engine = serviceGraphqlEngine({ services, report: fail });
    const author = await addUser(watched, 'author');
    const all: Results[] = [];
    for (let each = 0; each < 100; each++) {
      const query = each % 2 === 0 ? withAuthor : withEmail;
      all.push(await subscribe(services, engine, query, await addUser(watched, `user-${String(each)}`)));
    }
    const caller = { kind: 'user', id: author, role: 'user' } as const;
    reads.count = 0;
    for (let post = 0; post < 10; post++) {
      const pending = all.map(nextOf);
      await services.posts.create(caller, { title: 'T', content: 'C', authorId: undefined });
      for (const { errors } of await Promise.all(pending)) expect(errors).to.equal(undefined);
    }
    expect(reads.count).to.be.at.most(20);
  });

  it('read an API key once, and lose the right at the first event after it is deactivated', async () => {
    const watched = open(protectedPolicy);
    const { services, storage } = watched;
    const engine = serviceGraphqlEngine({ services, report: fail });
    const author = { kind: 'user', id: await addUser(watched, 'author'), role: 'admin' } as const;
    const { key, apiKey } = await services.apiKeys.create(author, { name: 'Warehouse' });
    const all: Results[] = [];
    for (let each = 0; each < 20; each++) {
      all.push(await subscribe(services, engine, withAuthor, undefined, { 'x-api-key': key }));
    }
    let reads = 0;
    const find = storage.apiKeys.findCredentials.bind(storage.apiKeys);
    storage.apiKeys.findCredentials = (id) => {
      reads += 1;
      return find(id);
    };
    const post = { title: 'T', content: 'C', authorId: undefined };
    const first = all.map(nextOf);
    await services.posts.create(author, post);
    for (const { errors } of await Promise.all(first)) expect(errors).to.equal(undefined);
    expect(reads).to.equal(1);
    await services.apiKeys.deactivate(author, apiKey.id);
    const second = Promise.allSettled(all.map(nextOf));
    await services.posts.create(author, post);
    for (const each of await second)
      expect(each).to.have.nested.property('reason.message', 'Invalid API key');
  });

  it('lose the right at the first event after they are deactivated, also when they read it late', async () => {
    const watched = open(protectedPolicy);
    const { services, storage } = watched;
    const engine = serviceGraphqlEngine({ services, report: fail });
    const [author, reader, other] = [
      await addUser(watched, 'a'),
      await addUser(watched, 'r'),
      await addUser(watched, 'o'),
    ];
    const late = await subscribe(services, engine, withAuthor, reader);
    const prompt = await subscribe(services, engine, withAuthor, other);
    const first = nextOf(prompt);
    await services.posts.create(
      { kind: 'user', id: author, role: 'user' },
      { title: 'T', content: 'C', authorId: undefined },
    );
    expect(await first).to.have.property('data');
    // The event waits for its reader, whose right ends in the meantime; the other has read the same event already.
    const user = await storage.users.find(reader);
    if (user === undefined) throw new Error('there is no reader');
    await services.users.replace({ kind: 'user', id: '0', role: 'admin' }, reader, {
      name: user.name,
      email: user.email,
      status: 'inactive',
    });
    let failure: unknown;
    await late.next().catch((error: unknown) => (failure = error));
    expect(failure).to.have.property('message', 'Invalid token');
  });

  const sharing = async (policy: Policy, isExtended: boolean) => {
    const watched = open(policy);
    const { services } = watched;
    const own = isExtended ? { typeDefs, resolvers: createResolvers(services) } : {};
    const engine = serviceGraphqlEngine({ services, report: () => undefined, ...own });
    const ids = [await addUser(watched, 'one'), await addUser(watched, 'two')];
    const author = await addUser(watched, 'author');
    const all = [
      await subscribe(services, engine, withEmail, ids[0]),
      await subscribe(services, engine, withEmail, ids[1]),
      await subscribe(services, engine, withEmail),
      await subscribe(services, engine, withEmail),
    ];
    const pending = all.map(nextOf);
    await services.posts.create(
      { kind: 'user', id: author, role: 'user' },
      { title: 'T', content: 'C', authorId: undefined },
    );
    const results = await Promise.all(pending);
    return { results, distinct: new Set(results).size };
  };

  it('share one result where they have the same rights', async () => {
    expect(await sharing(openPolicy, false)).to.have.property('distinct', 1);
    const { distinct, results } = await sharing(protectedPolicy, false);
    expect(distinct).to.equal(2);
    const email = { data: { postAdded: { author: { email: 'author@example.com' } } } };
    expect(results.slice(0, 2)).to.deep.equal([email, email]);
    expect(results[2]?.errors?.[0]?.extensions).to.deep.equal({ code: 'UNAUTHENTICATED' });
    expect(results[3]).to.equal(results[2]);
  });

  it('share none with another user where who they are may decide', async () => {
    const byCaller: Policy = {
      ...protectedPolicy,
      'users.read': (caller) => caller.kind === 'user' && caller.id === '1',
    };
    const { distinct, results } = await sharing(byCaller, false);
    expect(distinct).to.equal(3);
    expect(results[0]?.data?.['postAdded']).to.deep.equal({ author: { email: 'author@example.com' } });
    expect(results[1]?.errors?.[0]?.extensions).to.deep.equal({ code: 'FORBIDDEN' });
    expect(
      await sharing({ ...protectedPolicy, 'users.read': ['owner', 'anonymous'] }, false),
    ).to.have.property('distinct', 3);
    expect(await sharing(protectedPolicy, true)).to.have.property('distinct', 3);
  });
});
