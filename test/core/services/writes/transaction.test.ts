/** Work of the application in one transaction with the services. */
import { expect } from 'chai';
import { memoryStorage } from '../../../../src/core/storage/memory.js';
import { sqliteStorage } from '../../../../src/core/storage/sqlite.js';
import { ServiceError } from '../../../../src/core/model/error.js';
import { anonymous, type Caller } from '../../../../src/core/services/rights/caller.js';
import { openPolicy } from '../../../../src/core/services/rights/policy.js';
import { createServices, type Services } from '../../../../src/core/services/services.js';
import { Scope } from '../../../../src/core/services/writes/scope.js';
import type { WriteHooks } from '../../../../src/core/services/write-hooks.js';
import { everyUser } from '../../../../src/core/ports/user-store.js';
import { refused } from '../fixture.js';

const person = (name: string) => ({ name, email: `${name}@example.com` });
const lent = new ServiceError('forbidden', 'it is lent');
const namesIn = async ({ users }: Services) =>
  (await users.list(anonymous, everyUser)).data.map(({ name }) => name);

for (const [name, open] of [
  ['memory', () => Promise.resolve(memoryStorage())],
  ['SQLite', () => sqliteStorage({ path: ':memory:' })],
] as const)
  describe(`a transaction of services, ${name}`, () => {
    const start = async (hooks: WriteHooks = {}) =>
      createServices({ storage: await open(), policy: openPolicy, hooks });

    it('stores two writes and returns what the work returns', async () => {
      const services = await start();
      const found = await services.transaction(anonymous, async ({ users }, { caller }) => {
        const { id } = await users.create(caller, person('Ada'));
        await users.create(caller, person('Bob'));
        return (await users.get(caller, id)).name;
      });
      expect(found).to.equal('Ada');
      expect(await namesIn(services)).to.deep.equal(['Ada', 'Bob']);
    });

    it('leaves nothing of work that fails, and undoes what it noted', async () => {
      const services = await start();
      const undone: string[] = [];
      const work = services.transaction(anonymous, async ({ users }, { caller, onUndo }) => {
        await users.create(caller, person('Ada'));
        onUndo(() => undone.push('first'));
        onUndo(() => undone.push('second'));
        throw lent;
      });
      await refused(work, 'forbidden', 'it is lent');
      expect(await namesIn(services)).to.deep.equal([]);
      expect(undone).to.deep.equal(['second', 'first']);
    });

    for (const [failure, fail] of [
      ['its error', () => Promise.reject(lent)],
      [
        'an error that it catches',
        (inside, caller) => inside.transaction(caller, () => Promise.reject(lent)).catch(() => undefined),
      ],
    ] as const satisfies readonly (readonly [
      string,
      (inside: Pick<Services, 'transaction'>, caller: Caller) => unknown,
    ])[])
      it(`has undone what it noted before the next one begins, after ${failure}`, async () => {
        const services = await start();
        const seen: string[] = [];
        const failing = services.transaction(anonymous, async (inside, { caller, onUndo }) => {
          onUndo(() => seen.push('undone'));
          await inside.users.create(caller, person('Ada'));
          await fail(inside, caller);
        });
        const next = services.transaction(anonymous, async ({ users }, { caller }) => {
          seen.push('begun');
          await users.create(caller, person('Bob'));
        });
        await refused(failing, 'forbidden', 'it is lent');
        await next;
        expect(seen).to.deep.equal(['undone', 'begun']);
      });

    it('joins the transaction that it begins in, which fails with it', async () => {
      const services = await start();
      const work = services.transaction(anonymous, async (outer, { caller }) => {
        await outer.users.create(caller, person('Ada'));
        await outer
          .transaction(caller, async (inner) => {
            await inner.users.create(caller, person('Bob'));
            throw lent;
          })
          .catch(() => undefined);
      });
      await refused(work, 'forbidden', 'it is lent');
      expect(await namesIn(services)).to.deep.equal([]);
    });

    it('creates once per key, and repeats it', async () => {
      const services = await start();
      const create = () =>
        services.transaction(anonymous, ({ users }, { caller }) =>
          users.createOnce(caller, person('Ada'), 'key'),
        );
      const { record } = await create();
      expect(await create()).to.deep.equal({ record, isReplay: true });
      expect(await namesIn(services)).to.deep.equal(['Ada']);
    });

    it('is what hooks get, whose services write in the transaction of the write', async () => {
      const services = await start({
        'users.create': {
          async after(user, tx, { caller }) {
            if (user.name === 'Ada') await tx.services.users.create(caller, person('Shadow'));
            if (user.name === 'Bob') throw lent;
          },
        },
      });
      await services.users.create(anonymous, person('Ada'));
      await refused(services.users.create(anonymous, person('Bob')), 'forbidden');
      expect(await namesIn(services)).to.deep.equal(['Ada', 'Shadow']);
    });

    it('announces a post when it is stored', async () => {
      const services = await start();
      const { id: authorId } = await services.users.create(anonymous, person('Ada'));
      const posts = await services.posts.subscribeAdded(anonymous);
      const write = (title: string, fails: boolean) =>
        services.transaction(anonymous, async (inside, { caller }) => {
          await inside.posts.create(caller, { title, content: 'text', authorId });
          if (fails) throw lent;
        });
      await refused(write('undone', true), 'forbidden');
      await write('stored', false);
      expect(JSON.stringify(await posts.next()))
        .to.include('stored')
        .and.not.to.include('undone');
      await posts.return?.();
    });
  });

it('the effects of a try are forgotten by the next try', async () => {
  const scope = new Scope();
  const seen: string[] = [];
  for (const name of ['first', 'second']) {
    scope.begin();
    scope.afterwards(() => seen.push(name));
  }
  await scope.end();
  expect(seen).to.deep.equal(['second']);
});
