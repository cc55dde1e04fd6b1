/** Tests that the resolvers fit the schema, and that the number of reads does not grow with the rows. */
import { expect } from 'chai';
import type { FormattedExecutionResult } from 'graphql';
import type { Storage } from '../../../src/core/ports/storage.js';
import { makeContext } from '../../../src/core/resolvers/graphql-context.js';
import {
  executableSchema,
  serviceGraphqlEngine,
  type ServiceResolvers,
  createResolvers,
} from '../../../src/core/resolvers/graphql-engine.js';
import { type Caller, anonymous } from '../../../src/core/services/rights/caller.js';
import { openPolicy, protectedPolicy } from '../../../src/core/services/rights/policy.js';
import { type Services, createServices } from '../../../src/core/services/services.js';
import { memoryStorage } from '../../../src/core/storage/memory.js';
import type { QueryCompiler } from '../../../src/runtime/graphql/index.js';
import { compileQuery } from '../../../src/runtime/graphql/compiler/query-compiler.js';
import { onEveryStorage } from '../../support/stores.js';

const fail = (error: unknown): never => {
  throw error;
};

const servicesOver = (storage: Storage): Services => createServices({ storage, policy: openPolicy });

async function run(services: Services, query: string, caller: Caller = anonymous): Promise<unknown> {
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
  const own = { users: watch('users', storage.users), posts: watch('posts', storage.posts) };
  const watched = { ...storage, ...own, joined: { ...storage.joined, ...own } };
  return { storage: watched, calls };
}

/** @param from the number of the first user */
async function fill(services: Services, users: number, posts: number, from = 1): Promise<void> {
  for (let user = from; user < from + users; user += 1) {
    const name = `User ${String(user)}`;
    const { id } = await services.users.create(anonymous, {
      name,
      email: `u${String(user)}@example.com`,
    });
    for (let post = 1; post <= posts; post += 1) {
      await services.posts.create(anonymous, {
        title: `Post ${String(post)}`,
        content: 'Text',
        authorId: id,
      });
    }
  }
}

onEveryStorage('GraphQL resolvers: store calls', (storage) => {
  const queries: readonly (readonly [query: string, calls: readonly string[]])[] = [
    ['{ users { name } }', ['users.list']],
    ['{ users { posts { author { posts { title } } } } }', ['users.list', 'posts.listByAuthors']],
    ['{ posts { author { name } } }', ['posts.list', 'users.findMany']],
    [
      '{ posts { author { posts { author { name posts { title } } } } } }',
      ['posts.list', 'users.findMany', 'posts.listByAuthors'],
    ],
  ];
  const growth = [
    { users: 2, posts: 1 },
    { users: 28, posts: 7 },
  ] as const;
  for (const [step, { users, posts }] of growth.entries()) {
    describe(`with ${String(users)} users of ${String(posts)} posts${step > 0 ? ' more' : ''}`, () => {
      before(() => fill(servicesOver(storage()), users, posts, step === 0 ? 1 : 1 + growth[0].users));

      for (const [query, expected] of queries) {
        it(`are ${expected.join(', ')} for ${query}, interpreted and compiled`, async () => {
          const { storage: watched, calls } = counted(storage());
          const services = servicesOver(watched);
          let compiled = 0;
          const compile: QueryCompiler = (...parameters) => {
            const run = compileQuery(...parameters);
            return run && ((...values) => ((compiled += 1), run(...values)));
          };
          const engine = serviceGraphqlEngine({ services, report: fail, compile });
          for (let turn = 0; turn < 3; turn += 1) {
            const prepared = engine.prepare({ query });
            if ('errors' in prepared) throw new Error('it does not run');
            const result = await engine.execute(prepared, undefined, makeContext(services, anonymous));
            expect(result.errors).to.equal(undefined);
            expect(calls.splice(0)).to.deep.equal(expected);
          }
          expect(compiled).to.equal(2);
        });
      }
    });
  }
});

describe('GraphQL resolvers', () => {
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

  it('let a user who signs up see the given fields, where anonymous callers may not read users', async () => {
    const services = createServices({ storage: memoryStorage(), policy: protectedPolicy });
    const query =
      'mutation { createUser(name: "Ada", email: "ada@example.com") { name email posts { id } } }';
    expect(await run(services, query)).to.deep.equal({
      data: { createUser: { name: 'Ada', email: 'ada@example.com', posts: [] } },
    });
  });

  it('ask for each event whether its subscriber may still see posts', async () => {
    const storage = memoryStorage();
    await fill(servicesOver(storage), 1, 0);
    const services = createServices({ storage, policy: { ...openPolicy, 'posts.read': ['admin'] } });
    const engine = serviceGraphqlEngine({ services, report: fail });
    const operation = engine.prepare({ query: 'subscription { postAdded { title } }' });
    if ('errors' in operation) throw new Error('it does not run');
    let role: 'admin' | 'user' = 'admin';
    const makeContextNow = () => makeContext(services, { kind: 'user', id: '1', role });
    const results = await engine.subscribe(operation, undefined, makeContextNow);
    if (!(Symbol.asyncIterator in results)) throw new Error('it does not start');
    const input = { title: 'T', content: 'C' };
    const author: Caller = { kind: 'user', id: '1', role: 'user' };
    await services.posts.create(author, { authorId: undefined, ...input });
    expect((await results.next()).value).to.deep.equal({ data: { postAdded: { title: 'T' } } });
    role = 'user';
    await services.posts.create(author, { authorId: undefined, ...input });
    const { value } = await results.next();
    expect(value).to.have.property('data', null);
    expect(value).to.have.nested.property('errors[0].extensions.code', 'FORBIDDEN');
    await results.return();
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

  it('read no more from the store where a part of the answer is refused', async () => {
    const storage = memoryStorage();
    await fill(createServices({ storage, policy: openPolicy }), 2, 2);
    const { storage: watched, calls } = counted(storage);
    const services = createServices({ storage: watched, policy: protectedPolicy });
    const engine = serviceGraphqlEngine({ services, report: fail, compile: compileQuery });
    const query = '{ posts { author { name } } users { name } post(id: 1) { author { name email } } }';
    const reads: (readonly string[])[] = [];
    for (let turn = 0; turn < 3; turn += 1) {
      const operation = engine.prepare({ query });
      if ('errors' in operation) throw new Error('it does not run');
      const { errors } = await engine.execute(operation, undefined, makeContext(services, anonymous));
      expect(errors).to.not.equal(undefined);
      reads.push(calls.splice(0).sort());
    }
    expect(reads[0]).to.include('posts.list');
    expect(reads[1]).to.deep.equal(reads[0]);
    expect(reads[2]).to.deep.equal(reads[0]);
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

  describe('bound what lists within lists add up to', () => {
    const engineOver = (services: Services) =>
      serviceGraphqlEngine({ services, report: fail, compile: compileQuery });
    const nested = '{ users { posts { author { posts { id } } } } }';
    // A user, their 20 posts, and for each of those the 20 again.
    const amount = 1 + 20 + 20 * 20;

    async function runThrice(query: string, maxNodes: number): Promise<readonly FormattedExecutionResult[]> {
      const services = createServices({ storage: memoryStorage(), policy: openPolicy });
      await fill(services, 1, 20);
      const operation = engineOver(services);
      const results: FormattedExecutionResult[] = [];
      // The first run is interpreted, and the second compiled.
      for (let turn = 0; turn < 3; turn += 1) {
        const prepared = operation.prepare({ query });
        if ('errors' in prepared) throw new Error('it does not run');
        results.push(
          await operation.execute(prepared, undefined, makeContext(services, anonymous, maxNodes)),
        );
      }
      return results;
    }

    it('to as many as there may be', async () => {
      for (const { errors } of await runThrice(nested, amount)) expect(errors).to.equal(undefined);
    });

    it('and say how to ask for fewer where there are more', async () => {
      for (const { data, errors } of await runThrice(nested, amount - 1)) {
        expect(data).to.equal(null);
        expect(errors).to.have.length(1);
        expect(errors?.[0]).to.deep.include({ extensions: { code: 'LIMIT_EXCEEDED' } });
        expect(errors?.[0]?.message).to.include('limit').and.to.include('after');
      }
    });

    it('and do not count twice what is run again because something else in it failed', async () => {
      const query = `{ me { id } ${nested.slice(1)}`;
      for (const { errors } of await runThrice(query, amount)) {
        expect(errors?.map(({ extensions }) => extensions)).to.deep.equal([{ code: 'UNAUTHENTICATED' }]);
      }
    });

    it('and read no more from the store than there may be', async () => {
      const storage = memoryStorage();
      const services = servicesOver(storage);
      await fill(services, 10, 10);
      let read = 0;
      const { posts } = storage;
      const listByAuthors = posts.listByAuthors.bind(posts);
      posts.listByAuthors = async (...parameters) => {
        const lists = await listByAuthors(...parameters);
        read += lists.flat().length;
        return lists;
      };
      const engine = engineOver(services);
      const prepared = engine.prepare({ query: '{ users { posts { id } } }' });
      if ('errors' in prepared) throw new Error('it does not run');
      const { errors } = await engine.execute(prepared, undefined, makeContext(services, anonymous, 50));
      expect(errors?.[0]?.extensions).to.deep.equal({ code: 'LIMIT_EXCEEDED' });
      // Ten users are in the answer already, and one post more shows that there are too many.
      expect(read).to.equal(41);
    });
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
