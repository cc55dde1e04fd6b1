/** The resolvers and the schema fit, and what they cost does not grow with the rows. */

import { expect } from 'chai';
import { memoryStorage } from '../../../src/adapters/storage/memory.js';
import type { Storage } from '../../../src/core/ports/storage.js';
import { makeContext } from '../../../src/core/resolvers/context.js';
import { executableSchema, serviceGraphqlEngine } from '../../../src/core/resolvers/engine.js';
import { type ServiceResolvers, createResolvers } from '../../../src/core/resolvers/resolvers.js';
import { type Caller, anonymous } from '../../../src/core/services/caller.js';
import { openPolicy, protectedPolicy } from '../../../src/core/services/policy.js';
import { type Services, createServices } from '../../../src/core/services/services.js';

async function run(services: Services, query: string, caller: Caller = anonymous): Promise<unknown> {
  const fail = (error: unknown): never => {
    throw error;
  };
  const engine = serviceGraphqlEngine({ services, report: fail });
  const operation = engine.prepare({ query });
  return 'errors' in operation
    ? operation
    : await engine.execute(operation, undefined, makeContext(services, caller));
}

/** Counts the calls of every method of the stores of users and posts. */
function counted(storage: Storage): { readonly storage: Storage; readonly calls: string[] } {
  const calls: string[] = [];
  const watch = <Store extends object>(name: string, store: Store): Store =>
    new Proxy(store, {
      get: (target, key) => {
        const member: unknown = Reflect.get(target, key);
        if (typeof member !== 'function') return member;
        return (...parameters: unknown[]): unknown => {
          calls.push(`${name}.${String(key)}`);
          return Reflect.apply(member, target, parameters);
        };
      },
    });
  const watched = { ...storage, users: watch('users', storage.users), posts: watch('posts', storage.posts) };
  return { storage: watched, calls };
}

async function fill(services: Services, users: number, posts: number): Promise<void> {
  for (let user = 1; user <= users; user += 1) {
    const name = `User ${String(user)}`;
    const { id } = await services.users.create(anonymous, { name, email: `u${String(user)}@example.com` });
    for (let post = 1; post <= posts; post += 1) {
      await services.posts.create(anonymous, {
        title: `Post ${String(post)}`,
        content: 'Text',
        authorId: id,
      });
    }
  }
}

describe('GraphQL resolvers', () => {
  describe('store calls', () => {
    const queries: readonly (readonly [query: string, calls: readonly string[]])[] = [
      ['{ users { name } }', ['users.list']],
      ['{ users { posts { author { posts { title } } } } }', ['users.list', 'posts.listByAuthors']],
      ['{ posts { author { name } } }', ['posts.list', 'users.findMany']],
      [
        '{ posts { author { posts { author { name posts { title } } } } } }',
        ['posts.list', 'users.findMany', 'posts.listByAuthors'],
      ],
    ];
    for (const [query, expected] of queries) {
      for (const [users, posts] of [
        [2, 1],
        [30, 7],
      ] as const) {
        it(`are ${expected.join(', ')} for ${query} over ${String(users)} × ${String(posts)} rows`, async () => {
          const { storage, calls } = counted(memoryStorage());
          const services = createServices({ storage, policy: openPolicy });
          await fill(services, users, posts);
          calls.length = 0;
          const result = (await run(services, query)) as { readonly errors?: unknown };
          expect(result.errors).to.equal(undefined);
          expect(calls).to.deep.equal(expected);
        });
      }
    }
  });

  it('see what an earlier mutation of the same operation has changed', async () => {
    const services = createServices({ storage: memoryStorage(), policy: openPolicy });
    await fill(services, 1, 1);
    const result = await run(
      services,
      `mutation {
        a: createPost(title: "A", content: "A", authorId: 1) { author { name posts { title } } }
        updateUser(id: 1, name: "New") { name }
        b: createPost(title: "B", content: "B", authorId: 1) { author { name posts { title } } }
      }`,
    );
    expect(result).to.deep.equal({
      data: {
        a: { author: { name: 'User 1', posts: [{ title: 'Post 1' }, { title: 'A' }] } },
        updateUser: { name: 'New' },
        b: { author: { name: 'New', posts: [{ title: 'Post 1' }, { title: 'A' }, { title: 'B' }] } },
      },
    });
  });

  it('let who signs up see what they gave, where strangers may not read users', async () => {
    const services = createServices({ storage: memoryStorage(), policy: protectedPolicy });
    const query =
      'mutation { createUser(name: "Ada", email: "ada@example.com") { name email posts { id } } }';
    expect(await run(services, query)).to.deep.equal({
      data: { createUser: { name: 'Ada', email: 'ada@example.com', posts: [] } },
    });
  });

  it('show strangers the name of an author, and no more', async () => {
    const storage = memoryStorage();
    await fill(createServices({ storage, policy: openPolicy }), 1, 1);
    const services = createServices({ storage, policy: protectedPolicy });
    expect(await run(services, '{ posts { author { id name } } }')).to.deep.equal({
      data: { posts: [{ author: { id: '1', name: 'User 1' } }] },
    });
    for (const field of ['email', 'posts { id }']) {
      const result = (await run(services, `{ post(id: 1) { author { ${field} } } }`)) as {
        readonly errors: readonly unknown[];
      };
      expect(result.errors).to.have.length(1);
      expect(result.errors[0]).to.deep.include({
        message: 'Not authenticated',
        extensions: { code: 'UNAUTHENTICATED' },
      });
    }
    const own = await run(services, '{ post(id: 1) { author { email } } }', {
      kind: 'user',
      id: '1',
      role: 'user',
    });
    expect(own).to.deep.equal({ data: { post: { author: { email: 'u1@example.com' } } } });
  });

  it('refuse a whole list of more than 10,000, and say how to page it', async () => {
    const storage = memoryStorage();
    const services = createServices({ storage, policy: openPolicy });
    await fill(services, 1, 10_001);
    for (const query of ['{ posts { id } }', '{ users { posts { id } } }']) {
      const { errors } = (await run(services, query)) as {
        readonly errors: readonly { readonly message: string }[];
      };
      expect(errors).to.have.length(1);
      expect(errors[0]).to.deep.include({ extensions: { code: 'LIMIT_EXCEEDED' } });
      expect(errors[0]?.message).to.include('limit').and.to.include('after');
    }
    const page = (await run(services, '{ posts(limit: 10000, after: 1) { id } }')) as {
      readonly data: { readonly posts: readonly unknown[] };
    };
    expect(page.data.posts).to.have.length(10_000);
  });

  describe('at start', () => {
    const resolvers = createResolvers(createServices({ storage: memoryStorage(), policy: openPolicy }));
    const without = (type: keyof ServiceResolvers, field: string): ServiceResolvers => ({
      ...resolvers,
      [type]: Object.fromEntries(Object.entries(resolvers[type]).filter(([name]) => name !== field)),
    });

    it('are complete', () => {
      expect(() => executableSchema(resolvers)).not.to.throw();
    });

    const fields = Object.entries(resolvers).flatMap(([type, group]) =>
      Object.keys(group).map((field) => [type as keyof ServiceResolvers, field] as const),
    );
    // The record has an email; that its resolver guards it is tested above.
    for (const [type, field] of fields.filter(([, name]) => name !== 'email')) {
      it(`must have ${type}.${field}`, () => {
        expect(() => executableSchema(without(type, field))).to.throw(`${type}.${field}`);
      });
    }

    it('must not have what the schema does not', () => {
      const orphan = { ...resolvers, Query: { ...resolvers.Query, nobody: () => null } };
      expect(() => executableSchema(orphan)).to.throw('Query.nobody');
      expect(() => executableSchema({ ...resolvers, Nobody: { id: () => 1 } } as ServiceResolvers)).to.throw(
        'Nobody',
      );
    });
  });
});
