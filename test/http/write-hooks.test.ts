/** Hooks of an application around every write of the policy: what they get, change, refuse and undo, on each store. */
import { expect } from 'chai';
import { kyselyOf } from '../../src/core/kysely.js';
import { ServiceError } from '../../src/core/model/error.js';
import { everyAuditEntry } from '../../src/core/ports/audit-store.js';
import { everyComment, everyOrder } from '../../src/core/ports/order-store.js';
import type { Storage } from '../../src/core/ports/storage.js';
import { everyUser } from '../../src/core/ports/user-store.js';
import type { HookTransaction } from '../../src/core/services/all-services.js';
import { operator } from '../../src/core/services/rights/caller.js';
import { openPolicy, type WriteAction } from '../../src/core/services/rights/policy.js';
import { createServices } from '../../src/core/services/services.js';
import type { WriteHooks } from '../../src/core/services/write-hooks.js';
import { memoryStorage } from '../../src/core/storage/memory.js';
import { quickenTimers } from '../support/quick-timers.js';
import { TestService } from '../support/service.js';
import type { HttpAnswer } from '../support/send.js';
import { admin, signInAsAdmin, signInSettings } from '../support/sign-in.js';
import { onEveryStorage } from '../support/stores.js';
import { post } from './graphql-requests.js';

/** What a hook was called with. */
interface Call {
  readonly action: WriteAction;
  readonly at: 'before' | 'after';
  readonly input?: unknown;
  readonly record?: unknown;
  readonly operation: string;
  readonly old: unknown;
}

interface Behaviour {
  readonly before?: (input: never) => unknown;
  readonly after?: (record: never, transaction: HookTransaction) => unknown;
}

/** Hooks of every action, which note their calls and do what the behaviour of their action says. */
function noting() {
  const calls: Call[] = [];
  const behaviours = new Map<WriteAction, Behaviour>();
  const names = Object.keys(openPolicy).filter((action) => !/\.read|^webhooks/.test(action)) as WriteAction[];
  const hooks = names.map((action): [string, object] => [
    action,
    {
      before(_: unknown, input: unknown, { operation, old }: Call) {
        calls.push({ action, at: 'before', input, operation, old });
        return behaviours.get(action)?.before?.(input as never);
      },
      async after(record: unknown, transaction: HookTransaction, { operation, old }: Call) {
        calls.push({ action, at: 'after', record, operation, old });
        await behaviours.get(action)?.after?.(record as never, transaction);
      },
    },
  ]);
  return { calls, behaviours, hooks: Object.fromEntries(hooks) as WriteHooks };
}

/** The ids of records that each test has for itself. */
interface Scene {
  readonly user: string;
  readonly order: string;
  readonly product: string;
  readonly apiKey: string;
}

type Send = (method: string, path: string, body?: unknown) => Promise<HttpAnswer>;

/** A refusal that every write of the contract declares. */
const refusal = (message: string) => new ServiceError('forbidden', message);

interface Row {
  readonly act: (send: Send, scene: Scene) => Promise<HttpAnswer>;
  readonly operation: string;
  /** A hook's change of the input, and what the stored record then has. */
  readonly change?: { readonly input: (input: never) => unknown; readonly has: object };
  /** A change that the rules of the input refuse. */
  readonly spoil?: (input: never) => unknown;
  /** Other actions whose hooks the write calls, before or after this one. */
  readonly beside?: readonly WriteAction[];
}

const items = [{ name: 'Twine', unitPrice: 1, quantity: 1 }];
const person = (name: string) => ({ name, email: `${name.toLowerCase()}@example.com` });
const renamed = { input: (input: object) => ({ ...input, name: 'Changed' }), has: { name: 'Changed' } };
const unnamed = (input: object) => ({ ...input, name: '' });

/** One row per write of the policy: an action without one does not compile. */
const rows: Readonly<Record<WriteAction, Row>> = {
  'users.create': {
    act: (send) => send('POST', '/api/users', person('Eve')),
    operation: 'users.create',
    change: renamed,
    spoil: unnamed,
  },
  'users.update': {
    act: (send, { user }) => send('PUT', `/api/users/${user}`, person('Uma')),
    operation: 'users.replace',
    change: renamed,
    spoil: unnamed,
  },
  'users.giveRole': {
    act: (send, { user }) => send('PUT', `/api/users/${user}`, { ...person('Uma'), role: 'admin' }),
    operation: 'users.replace',
    change: renamed,
    spoil: unnamed,
    beside: ['users.update'],
  },
  'users.changePassword': {
    act: (send, { user }) =>
      send('PUT', `/api/users/${user}`, { ...person('Uma'), password: 'new password' }),
    operation: 'users.replace',
    change: renamed,
    spoil: unnamed,
    beside: ['users.update'],
  },
  'users.endSessions': {
    act: (send, { user }) => send('DELETE', `/api/users/${user}/sessions`),
    operation: 'users.endSessions',
  },
  'users.activate': {
    act: (send, { user }) => send('POST', `/api/users/${user}/activate`),
    operation: 'users.activate',
  },
  'users.delete': {
    act: (send, { user }) => send('DELETE', `/api/users/${user}`),
    operation: 'users.delete',
  },
  'posts.create': {
    act: (send) =>
      send('POST', '/graphql', { query: 'mutation { createPost(title: "T", content: "C") { id } }' }),
    operation: 'posts.create',
    change: { input: (input: object) => ({ ...input, title: 'Changed' }), has: { title: 'Changed' } },
    spoil: (input: object) => ({ ...input, title: '' }),
  },
  'orders.create': {
    act: (send, { user }) => send('POST', '/api/orders', { userId: user, items }),
    operation: 'orders.create',
    change: {
      input: (input: object) => ({ ...input, items: [...items, ...items] }),
      has: { totalCents: 200 },
    },
    spoil: (input: object) => ({ ...input, items: [] }),
  },
  'orders.replace': {
    act: (send, { order }) => send('PUT', `/api/orders/${order}`, { items: [...items, ...items] }),
    operation: 'orders.replace',
    change: {
      input: (input: object) => ({ ...input, items: [...items, ...items, ...items] }),
      has: { totalCents: 300 },
    },
    spoil: (input: object) => ({ ...input, items: [] }),
  },
  'orders.changeStatus': {
    act: (send, { order }) => send('PATCH', `/api/orders/${order}`, { status: 'processing' }),
    operation: 'orders.changeStatus',
    // A pending order has one next status.
    change: { input: (input: object) => ({ ...input, status: 'processing' }), has: { status: 'processing' } },
    spoil: (input: object) => ({ ...input, status: 'refunded' }),
  },
  'orders.cancel': {
    act: (send, { order }) => send('POST', `/api/orders/${order}/cancel`),
    operation: 'orders.cancel',
  },
  'orders.refund': {
    act: async (send, { order }) => {
      await send('PATCH', `/api/orders/${order}`, { status: 'processing' });
      await send('PATCH', `/api/orders/${order}`, { status: 'completed' });
      return await send('POST', `/api/orders/${order}/refund`);
    },
    operation: 'orders.refund',
    beside: ['orders.changeStatus'],
  },
  'orders.delete': {
    act: (send, { order }) => send('DELETE', `/api/orders/${order}`),
    operation: 'orders.delete',
  },
  'orders.deleteStarted': {
    act: async (send, { order }) => {
      await send('PATCH', `/api/orders/${order}`, { status: 'processing' });
      return await send('DELETE', `/api/orders/${order}`);
    },
    operation: 'orders.delete',
    beside: ['orders.changeStatus'],
  },
  'products.write': {
    act: (send) => send('POST', '/api/products', { name: 'Lamp', price: 2 }),
    operation: 'products.create',
    change: renamed,
    spoil: unnamed,
  },
  'comments.create': {
    act: (send, { order }) => send('POST', '/api/comments', { orderId: order, text: 'Late' }),
    operation: 'comments.create',
    change: { input: (input: object) => ({ ...input, text: 'Changed' }), has: { text: 'Changed' } },
    spoil: (input: object) => ({ ...input, orderId: '999' }),
    beside: ['comments.createAs'],
  },
  'comments.createAs': {
    act: (send, { order }) => send('POST', '/api/comments', { orderId: order, text: 'Late' }),
    operation: 'comments.create',
    change: { input: (input: object) => ({ ...input, text: 'Changed' }), has: { text: 'Changed' } },
    spoil: (input: object) => ({ ...input, text: '' }),
    beside: ['comments.create'],
  },
  'keys.manage': {
    act: (send) => send('POST', '/api/keys', { name: 'Robot' }),
    operation: 'keys.create',
    change: renamed,
    spoil: unnamed,
  },
};

/** All that a storage holds. */
async function contentOf({
  users,
  posts,
  orders,
  comments,
  products,
  apiKeys,
  audit,
}: Storage): Promise<unknown> {
  const all = { after: undefined, limit: 1_000 };
  const listed = await products.list(all);
  return {
    users: await users.list(everyUser, all),
    posts: await posts.list(all),
    orders: await orders.list(everyOrder, all),
    comments: await comments.list(everyComment, all),
    products: listed,
    categories: await Promise.all(listed.map(({ id }) => products.listCategories(id))),
    apiKeys: (await apiKeys.list(all)).map(({ id, name, active }) => ({ id, name, active })),
    audit: (await audit.list(everyAuditEntry, all)).filter(({ action }) => action !== 'sessions.signIn'),
  };
}

onEveryStorage('Hooks of writes', (storage) => {
  const { calls, behaviours, hooks } = noting();
  const service = new TestService();
  let headers: Readonly<Record<string, string>> = {};
  let scene: Scene;
  let scenes = 0;

  before(async () => {
    await service.start({ ...signInSettings, policy: openPolicy }, { storage: storage(), hooks });
    headers = await signInAsAdmin(service);
  });
  after(() => service.stop());

  beforeEach(async () => {
    scenes += 1;
    const { services } = service;
    const input = {
      name: 'Uma',
      email: `uma${String(scenes)}@example.com`,
      status: 'inactive' as const,
    };
    const { id: user } = await services.users.create(operator, input);
    const { id: order } = await services.orders.create(operator, { userId: user, items });
    const { id: product } = await services.products.create(operator, {
      name: 'Vase',
      price: 5,
    });
    const { apiKey } = await services.apiKeys.create(operator, { name: 'Old' });
    scene = { user, order, product, apiKey: apiKey.id };
    calls.length = 0;
  });
  afterEach(async () => {
    behaviours.clear();
    for (const user of await storage().users.list(everyUser, { after: undefined, limit: 1_000 })) {
      if (user.email !== admin.email) await storage().users.delete(user.id);
    }
    expect(service.takeMasked()).to.deep.equal([]);
  });

  const send: Send = (method, path, body) => {
    if (path === '/graphql') return post(service, body, headers);
    return service.send({
      method,
      path,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  };
  /** Takes the only masked error, which names a hook and has another as its cause. */
  const expectNamed = (hook: string, cause: RegExp) => {
    const [error, ...others] = service.takeMasked() as readonly Error[];
    expect([error?.message, others]).to.deep.equal([`the hook ${hook} failed`, []]);
    expect((error?.cause as Error).message).to.match(cause);
  };
  const isRefused = ({ status, text }: HttpAnswer) => status >= 400 || text.includes('"errors"');

  for (const [name, { act, operation, change, spoil, beside = [] }] of Object.entries(rows)) {
    const action = name as WriteAction;
    const callsAt = (at: Call['at']) => calls.filter((call) => call.action === action && call.at === at);

    describe(action, () => {
      it('calls the hooks of its actions once, before and after', async () => {
        const answer = await act(send, scene);
        expect(isRefused(answer), answer.text).to.equal(false);
        const [first, ...others] = callsAt('before');
        const [last, ...more] = callsAt('after');
        expect([others, more]).to.deep.equal([[], []]);
        expect([first?.operation, last?.operation]).to.deep.equal([operation, operation]);
        expect(last?.record, 'the stored record').to.have.property('id');
        expect(new Set(calls.map((call) => call.action))).to.deep.equal(new Set([action, ...beside]));
        if (!operation.endsWith('create')) expect(first?.old).to.have.property('id');
      });

      it('is refused by a hook before, which then calls no other', async () => {
        behaviours.set(action, {
          before: () => {
            throw refusal('Not on Sundays');
          },
        });
        const before = beside.includes('orders.changeStatus') ? undefined : await contentOf(storage());
        const answer = await act(send, scene);
        expect(isRefused(answer)).to.equal(true);
        expect(answer.text).to.include('Not on Sundays');
        expect(callsAt('after')).to.deep.equal([]);
        if (before !== undefined) expect(await contentOf(storage())).to.deep.equal(before);
      });

      for (const [what, error] of [
        ['a ServiceError', refusal('No room')],
        ['another error', new Error('a secret')],
      ] as const) {
        it(`is undone by a hook after that throws ${what}`, async () => {
          let before: unknown;
          let undone = 0;
          behaviours.set(action, {
            before: async () => void (before = await contentOf(storage())),
            after: (_, { onUndo }) => {
              onUndo(() => (undone += 1));
              throw error;
            },
          });
          const answer = await act(send, scene);
          expect(isRefused(answer)).to.equal(true);
          expect(answer.text).not.to.include('secret');
          if (error.name === 'ServiceError') expect(answer.text).to.include('No room');
          else expectNamed(`${action}.after`, /a secret/);
          expect(undone).to.equal(1);
          expect(await contentOf(storage())).to.deep.equal(before);
          behaviours.set(action, {});
          if (!beside.includes('orders.changeStatus'))
            expect(isRefused(await act(send, scene))).to.equal(false);
        });
      }

      if (change !== undefined) {
        it('stores the input that a hook before returns', async () => {
          behaviours.set(action, { before: change.input });
          expect(isRefused(await act(send, scene))).to.equal(false);
          expect(callsAt('after')[0]?.record).to.include(change.has);
        });
      }
      if (spoil !== undefined) {
        it('checks the input that a hook before returns', async () => {
          const before = await contentOf(storage());
          behaviours.set(action, { before: spoil });
          const answer = await act(send, scene);
          expect(isRefused(answer)).to.equal(true);
          expect(callsAt('after')).to.deep.equal([]);
          expect(await contentOf(storage())).to.deep.equal(before);
        });
      }
    });
  }

  const others: Readonly<Record<string, Pick<Row, 'act' | 'operation'> & { readonly action: WriteAction }>> =
    {
      'a changed user of GraphQL': {
        act: (send, { user }) =>
          send('POST', '/graphql', { query: `mutation { updateUser(id: ${user}, name: "Una") { id } }` }),
        operation: 'users.update',
        action: 'users.update',
      },
      'a created user of GraphQL': {
        act: (send) =>
          send('POST', '/graphql', {
            query: 'mutation { createUser(name: "Eve", email: "eve@example.com") { id } }',
          }),
        operation: 'users.create',
        action: 'users.create',
      },
      'a replaced product': {
        act: (send, { product }) => send('PUT', `/api/products/${product}`, { name: 'Urn', price: 6 }),
        operation: 'products.replace',
        action: 'products.write',
      },
      'a deleted product': {
        act: (send, { product }) => send('DELETE', `/api/products/${product}`),
        operation: 'products.delete',
        action: 'products.write',
      },
      'the categories of a product': {
        act: (send, { product }) => send('PUT', `/api/products/${product}/categories`, [{ name: 'Home' }]),
        operation: 'products.replaceCategories',
        action: 'products.write',
      },
      'a revoked key': {
        act: (send, { apiKey }) => send('DELETE', `/api/keys/${apiKey}`),
        operation: 'keys.revoke',
        action: 'keys.manage',
      },
    };
  for (const [what, { act, operation, action }] of Object.entries(others)) {
    it(`are called for ${what}, and undo it`, async () => {
      const before = await contentOf(storage());
      behaviours.set(action, {
        after: () => {
          throw refusal('No room');
        },
      });
      const answer = await act(send, scene);
      expect(answer.text).to.include('No room');
      expect(await contentOf(storage())).to.deep.equal(before);
      behaviours.set(action, {});
      expect(isRefused(await act(send, scene))).to.equal(false);
      const [last] = calls.slice(-1);
      expect(last).to.deep.include({ action, at: 'after', operation });
      expect(last?.record).to.have.property('id');
    });
  }

  it('give the input and status that a hook before sets their entries in the audit log', async () => {
    behaviours.set('users.create', { before: (input: object) => ({ ...input, status: 'inactive' }) });
    const { body } = await service.post('/api/users', person('Eve'));
    expect(body).to.have.property('status', 'inactive');
    const entries = await storage().audit.listBefore(everyAuditEntry, undefined, 1);
    expect(entries[0]).to.include({ action: 'users.giveRole', detail: 'status inactive' });
  });

  it('are not called for a repeated request with a key, whose key a failed hook leaves unused', async () => {
    const keyed = { ...headers, 'idempotency-key': `key ${String(scenes)}` };
    behaviours.set('users.create', {
      after: () => {
        throw refusal('No room');
      },
    });
    expect((await service.post('/api/users', person('Eve'), keyed)).status).to.equal(403);
    behaviours.set('users.create', {});
    calls.length = 0;
    const first = await service.post('/api/users', person('Eve'), keyed);
    expect(first.status, first.text).to.equal(201);
    expect(calls.map(({ at }) => at)).to.deep.equal(['before', 'after']);
    const second = await service.post('/api/users', person('Eve'), keyed);
    expect([second.status, second.body]).to.deep.equal([201, first.body]);
    expect(calls).to.have.length(2);
  });

  it('are not called for a write that the policy or the contract refuses, or that the store refuses', async () => {
    expect((await service.post('/api/users', { name: 'Eve' })).status).to.equal(400);
    expect((await service.delete(`/api/users/${scene.user}`)).status).to.equal(401);
    expect(calls).to.deep.equal([]);
    expect((await service.post('/api/users', { ...person('Eve'), email: admin.email })).status).to.equal(409);
    expect(calls.map(({ at }) => at)).to.deep.equal(['before']);
  });

  it('change no input but by what they return', async () => {
    behaviours.set('users.create', { before: (input: object) => void Object.assign(input, { name: 'Mel' }) });
    expect((await service.post('/api/users', person('Eve'))).body).to.include({ name: 'Eve' });
  });

  it('cannot give a user a role that does not exist, or change the record that is answered', async () => {
    behaviours.set('users.create', { before: (input: object) => ({ ...input, role: 'king' }) });
    expect((await service.post('/api/users', person('Eve'))).status).to.equal(400);
    behaviours.set('users.create', { after: (record: object) => Object.assign(record, { name: 'Mel' }) });
    expect((await service.post('/api/users', person('Eve'))).body).to.include({ name: 'Eve' });
  });

  for (const at of ['before', 'after'] as const) {
    it(`have five seconds ${at} a write, which is then not stored`, async () => {
      const before = await contentOf(storage());
      behaviours.set('users.create', { [at]: () => new Promise(() => undefined) });
      const restore = quickenTimers(5_000, 'services/writes/');
      const { status } = await service.post('/api/users', person('Eve')).finally(restore);
      expect(status).to.equal(503);
      const detail = `the hook users.create.${at} did not end within 5000 ms`;
      expect(service.takeMasked()[0]).to.have.property('detail', detail);
      expect(await contentOf(storage())).to.deep.equal(before);
    });
  }

  it('are named where an error before a write is masked', async () => {
    behaviours.set('users.create', {
      before: () => {
        throw new Error('a secret');
      },
    });
    expect((await service.post('/api/users', person('Eve'))).status).to.equal(500);
    expectNamed('users.create.before', /a secret/);
  });

  for (const [name, { act, change }] of Object.entries(rows)) {
    if (change === undefined) continue;
    it(`are named if they return no input: ${name}`, async () => {
      for (const returned of [null, true, 'input', {}]) {
        const before = await contentOf(storage());
        behaviours.set(name as WriteAction, { before: () => returned });
        expect((await act(send, scene)).text).to.include('Internal');
        expectNamed(`${name}.before`, /^the "\w+" of the returned input is missing$/);
        expect(await contentOf(storage())).to.deep.equal(before);
      }
    });
  }

  it('wait for each other, and other writers for them', async () => {
    const order: string[] = [];
    let release: () => void = () => undefined;
    const isReleased = new Promise<void>((resolve) => (release = resolve));
    const isInside = new Promise<void>((resolve) => {
      behaviours.set('users.create', {
        after: async ({ name }: { name: string }) => {
          order.push(name);
          resolve();
          await isReleased;
        },
      });
    });
    const first = service.post('/api/users', person('Eve'));
    await isInside;
    const others = [service.post('/api/users', person('Mel')), service.get('/api/products')];
    release();
    for (const answer of await Promise.all([first, ...others])) expect(answer.status).to.be.below(300);
    expect(order).to.deep.equal(['Eve', 'Mel']);
  });

  describe('with a table of the application', () => {
    interface Cards {
      readonly cards: { readonly user_id: string; readonly shelf: number };
    }
    /** In a storage without a database, the table is here. */
    const kept = new Map<string, number>();
    let names = 0;

    /** Runs work in the transaction of a write that is not about it. */
    async function inTransaction<T>(work: (transaction: HookTransaction) => Promise<T>): Promise<T> {
      let outcome: T | undefined;
      behaviours.set('products.write', {
        after: async (_, transaction) => void (outcome = await work(transaction)),
      });
      names += 1;
      const answer = await service.post('/api/products', { name: `Own ${String(names)}`, price: 1 });
      behaviours.delete('products.write');
      expect(answer.status, answer.text).to.equal(201);
      return outcome as T;
    }

    const addCard = async ({ id }: { readonly id: string }, transaction: HookTransaction) => {
      const { database, onUndo } = transaction;
      if (database === undefined) {
        kept.set(id, 7);
        onUndo(() => kept.delete(id));
        return;
      }
      const added = await kyselyOf<Cards>(transaction)
        .insertInto('cards')
        .values({ user_id: id, shelf: 7 })
        .executeTakeFirst();
      expect(added.numInsertedOrUpdatedRows).to.equal(1n);
    };
    const cards = () =>
      inTransaction(async (transaction) => {
        if (transaction.database === undefined) return [...kept.keys()];
        const found = await kyselyOf<Cards>(transaction).selectFrom('cards').select('user_id').execute();
        return found.map(({ user_id }) => user_id);
      });

    before(() =>
      inTransaction(async ({ database, query }) => {
        if (database !== undefined)
          await query('create table cards (user_id text primary key, shelf integer)');
      }),
    );
    beforeEach(() =>
      inTransaction(async (transaction) => {
        kept.clear();
        if (transaction.database !== undefined)
          await kyselyOf<Cards>(transaction).deleteFrom('cards').execute();
      }),
    );

    it('commit and roll back its rows with the write', async () => {
      behaviours.set('users.create', { after: addCard });
      const { body } = await service.post('/api/users', person('Eve'));
      expect(await cards()).to.deep.equal([(body as { id: string }).id]);
      behaviours.set('users.create', {
        after: async (user: { readonly id: string }, transaction) => {
          await addCard(user, transaction);
          throw refusal('No room');
        },
      });
      expect((await service.post('/api/users', person('Mel'))).status).to.equal(403);
      expect(await cards()).to.have.length(1);
    });

    it('undo all that they noted, even if one of these fails', async () => {
      const undone: string[] = [];
      behaviours.set('users.create', {
        after: (_: object, { onUndo }) => {
          onUndo(() => undone.push('first'));
          onUndo(() => {
            undone.push('second');
            throw refusal('Not undone');
          });
          throw refusal('No room');
        },
      });
      expect((await service.post('/api/users', person('Kim'))).text).to.include('Not undone');
      expect(undone).to.deep.equal(['second', 'first']);
    });

    it('undo the write when one of its statements fails, even if the hook goes on', async () => {
      behaviours.set('users.create', {
        after: async (_: object, { query }) => {
          await query('insert into nothing values (1)').catch(() => undefined);
          await query('select 1').catch(() => undefined);
        },
      });
      const before = await contentOf(storage());
      expect((await service.post('/api/users', person('Eve'))).status).to.equal(500);
      expectNamed('users.create.after', /nothing|no database/);
      expect(await contentOf(storage())).to.deep.equal(before);
    });

    it('name the hook whose statement has failed, and not a later one', async () => {
      const ask =
        (statement: string) =>
        async (_: object, { query }: HookTransaction) => {
          await query(statement).catch(() => undefined);
        };
      behaviours.set('users.update', { after: ask('insert into nothing values (1)') });
      behaviours.set('users.giveRole', { after: ask('select 1') });
      const { user } = scene;
      const wanted = { ...person('Uma'), role: 'admin' };
      expect((await service.put(`/api/users/${user}`, wanted, headers)).status).to.equal(500);
      expectNamed('users.update.after', /nothing|no database/);
    });

    for (const statement of ['commit', ' /* now */ ROLLBACK', '-- now\nend', 'select 1; commit', 'begin']) {
      it(`undo a write whose hook would end or begin a transaction: ${JSON.stringify(statement)}`, async () => {
        behaviours.set('users.create', {
          after: async (_: object, { query, database }) => {
            if (database === undefined) throw new Error('no database');
            await query(statement);
          },
        });
        const before = await contentOf(storage());
        expect((await service.post('/api/users', person('Eve'))).status).to.equal(500);
        expect(service.takeMasked()).to.have.length(1);
        expect(await contentOf(storage())).to.deep.equal(before);
      });
    }

    it('give one statement at a time', async () => {
      const ask = (...texts: readonly string[]) =>
        inTransaction(async ({ database, query }) => {
          for (const text of texts) if (database !== undefined) await query(text);
        });
      await ask(
        "insert into cards values ('a;', 1) -- ;",
        "/* ; */ delete from cards where user_id = 'a;' ; -- ;\n ;",
      );
      behaviours.set('users.create', {
        after: async (_: object, { query, database }) => {
          if (database === undefined) throw new Error('no multiple commands');
          await query("insert into cards values ('a', 1); insert into cards values ('b', 1)");
        },
      });
      expect((await service.post('/api/users', person('Eve'))).status).to.equal(500);
      expectNamed('users.create.after', /multiple commands|more than one statement/);
      expect(await cards()).to.deep.equal([]);
      const trigger = 'create temp trigger t after insert on cards begin select 1; select 2; end';
      await inTransaction(async ({ database, query }) => {
        if (database === 'sqlite') await query(trigger);
        if (database === 'sqlite') await query('drop trigger t');
      });
    });

    it('run a write once whose hook violates a rule of the table, and let it say so', async () => {
      let runs = 0;
      behaviours.set('users.create', {
        after: async (_: object, { query, database }) => {
          runs += 1;
          if (database === undefined) throw refusal('The shelf is taken');
          const add = () => query("insert into cards values ('1', 7)");
          await add();
          await add().catch(() => {
            throw refusal('The shelf is taken');
          });
        },
      });
      const { status, text } = await service.post('/api/users', person('Eve'));
      expect([status, runs], text).to.deep.equal([403, 1]);
      behaviours.set('users.create', {
        after: async (_: object, { query, database }) => {
          runs += 1;
          if (database === undefined) throw new Error('twice');
          await query("insert into cards values ('1', 7), ('1', 8)");
        },
      });
      expect((await service.post('/api/users', person('Eve'))).status).to.equal(500);
      expect([runs, service.takeMasked().length]).to.deep.equal([2, 1]);
    });

    it('take no statement after the write has ended, and begin no transaction', async () => {
      const [query, kysely] = await inTransaction(async (transaction) => {
        if (transaction.database === undefined) {
          expect(() => kyselyOf(transaction)).to.throw(/has no database/);
          return [];
        }
        const own = kyselyOf<Cards>(transaction);
        const refusal = await own
          .transaction()
          .execute(() => Promise.resolve())
          .catch(String);
        expect(refusal).to.match(/is the transaction of a write/);
        return [transaction.query, own] as const;
      });
      if (query === undefined || kysely === undefined) return;
      expect(await query('select 1').catch(String)).to.match(/has ended/);
      expect(await kysely.selectFrom('cards').selectAll().execute().catch(String)).to.match(/has ended/);
    });

    it('run again after a deadlock with another writer, and leave the effects of one try', async () => {
      await inTransaction(async (transaction) => {
        if (transaction.database === undefined) return;
        await transaction.query("insert into cards values ('a', 0), ('b', 0)");
      });
      let runs = 0;
      let undone = 0;
      const arrivals: (() => void)[] = [];
      behaviours.set('users.create', {
        after: async ({ name }: { readonly name: string }, { database, query, onUndo }) => {
          runs += 1;
          onUndo(() => (undone += 1));
          if (database === undefined) return;
          const [first, second] = name === 'Eve' ? ['a', 'b'] : ['b', 'a'];
          const count = (card: string | undefined) =>
            query(`update cards set shelf = shelf + 1 where user_id = '${String(card)}'`);
          await count(first);
          // Both have their first row, where writers run at the same time.
          if (database === 'postgres' && runs <= 2) {
            await new Promise<void>((resolve) => {
              arrivals.push(resolve);
              if (arrivals.length === 2) for (const go of arrivals) go();
            });
          }
          await count(second);
        },
      });
      const answers = await Promise.all([
        service.post('/api/users', person('Eve')),
        service.post('/api/users', person('Mel')),
      ]);
      expect(answers.map(({ status }) => status)).to.deep.equal([201, 201]);
      expect(runs - undone).to.equal(2);
      const shelves = await inTransaction(async ({ database, query }) =>
        database === undefined ? [] : (await query('select shelf from cards order by user_id')).rows,
      );
      for (const row of shelves) expect(row).to.deep.equal({ shelf: 2 });
    });
  });
});

describe('Hooks of writes that cannot run', () => {
  const hook = { after: () => undefined };

  it('do not compile with another input or record than that of the action', () => {
    const hooks: WriteHooks = {
      // @ts-expect-error -- the input of a post has a title
      'posts.create': { before: (_, input) => ({ ...input, title: 1 }) },
      // @ts-expect-error -- a user has no title
      'users.create': { after: (user) => void user.title },
      'products.write': {
        before: (_, input) => (input !== undefined && 'price' in input ? { ...input, price: 2 } : undefined),
      },
    };
    expect(Object.keys(hooks)).to.have.length(3);
  });

  it('are refused at the start, with their names', () => {
    // @ts-expect-error -- it reads
    const wrong: WriteHooks = { 'users.read': hook };
    expect(() => createServices({ storage: memoryStorage(), policy: openPolicy, hooks: wrong })).to.throw(
      'the hook users.read has the name of no write of the policy',
    );
    for (const other of [{}, { befor: () => undefined }, { before: 'x' }, () => undefined, null]) {
      const untyped = Object.assign<WriteHooks, object>({}, { 'users.create': other });
      expect(() => createServices({ storage: memoryStorage(), policy: openPolicy, hooks: untyped })).to.throw(
        'the hook users.create must have a function "before" or "after"',
      );
    }
    const needy: WriteHooks = { 'users.create': { needs: 'database', ...hook } };
    expect(() => createServices({ storage: memoryStorage(), policy: openPolicy, hooks: needy })).to.throw(
      'the hook users.create needs a database, which the storage does not have: use SQLite in its place',
    );
    const misspelt = Object.assign<WriteHooks, object>({}, { 'users.create': { needs: 'databse', ...hook } });
    expect(() => createServices({ storage: memoryStorage(), policy: openPolicy, hooks: misspelt })).to.throw(
      'the hook users.create must need "database" or nothing',
    );
    const { users } = memoryStorage();
    const storage = { users };
    const hooks = { 'users.create': hook };
    expect(() => createServices({ storage, policy: openPolicy, hooks })).to.throw(
      'the hook users.create has "after", but the storage has no "transaction"',
    );
    const before = { 'users.create': { before: () => undefined } };
    expect(createServices({ storage, policy: openPolicy, hooks: before })).to.have.property('users');
  });
});
