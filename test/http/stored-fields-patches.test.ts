/** Changes of stored fields: merge patches over REST, amounts that code adds, and defaults that code gets. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openapiFile } from '../../src/core/contract.js';
import { ServiceError } from '../../src/core/model/error.js';
import { operator } from '../../src/core/services/rights/caller.js';
import type { WriteHooks } from '../../src/core/services/write-hooks.js';
import { type Service, createService } from '../../src/service/create-service.js';
import { type Settings, readSettings } from '../../src/service/settings/settings.js';
import { quickHasher } from '../support/quick-hasher.js';
import { onEveryDatabase } from '../support/stores.js';

const OVERLAY = `overlay: 1.0.0
info: { title: Points, version: '1' }
extends: ${openapiFile.pathname}
actions:
  - target: $.components.schemas['User', 'Product', 'Order']
    update:
      required: [code]
      properties:
        code: { type: string, maxLength: 5, x-stored: true }
        points: { type: integer, minimum: 0, maximum: 1000, default: 10, x-stored: true, x-filter: true }
        balance: { type: number, readOnly: true, x-stored: true }
        level: { type: string, enum: [low, high], default: low, x-stored: true }
        tags: { type: array, items: { type: string }, x-stored: true }
        meta:
          type: object
          x-stored: true
          properties: { size: { type: integer, minimum: 1 }, color: { type: string } }
          dependentRequired: { size: [color] }
`;

describe('changes of fields that are stored', () => {
  let directory = '';
  let contract = '';
  before(() => {
    directory = mkdtempSync(join(tmpdir(), 'concordat-patches-'));
    contract = join(directory, 'points.yaml');
    writeFileSync(contract, OVERLAY);
  });
  after(() => {
    rmSync(directory, { recursive: true });
  });

  onEveryDatabase('on', (make) => {
    let service: Service;
    let url = '';
    let hook: NonNullable<WriteHooks['users.update']>['before'];
    before(async function () {
      this.timeout(60_000);
      service = await createService({
        contract,
        settings: {
          ...readSettings({ PORT: '0', DEMO_DATA: 'off', LOG_LEVEL: 'silent' }),
          database: await make(),
        } satisfies Settings,
        passwordHasher: quickHasher,
        hooks: { 'users.update': { before: (...given) => hook?.(...given) } },
        report: (error) => {
          throw error;
        },
      });
      ({ url } = await service.listen());
    });
    after(() => service.close());
    afterEach(() => {
      hook = undefined;
    });

    const ask = async (method: string, path: string, body?: unknown) => {
      const response = await fetch(url + path, {
        method,
        headers: { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      return {
        status: response.status,
        body: JSON.parse(await response.text()) as Record<string, unknown> & { error?: string; id: string },
      };
    };
    let emails = 0;
    const bodies = {
      users: () => ({ name: 'Eve', email: `eve${String((emails += 1))}@example.com`, code: 'A' }),
      products: () => ({ name: 'Lamp', price: 1, code: 'A' }),
      orders: () => ({ userId: '1', items: [{ name: 'Lamp', unitPrice: 1, quantity: 1 }], code: 'A' }),
    };
    const refusal = async (call: Promise<unknown>) => {
      const error: unknown = await call.then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      if (!(error instanceof ServiceError)) return expect.fail(String(error));
      return `${error.code}: ${error.message}`;
    };

    for (const [kind, body] of Object.entries(bodies)) {
      const created = async () => {
        const made = await ask('POST', `/api/${kind}`, body());
        expect(made.status, made.body.error).to.equal(201);
        return { path: `/api/${kind}/${made.body.id}`, id: made.body.id };
      };
      const ofCode = () => service.services[kind as 'users' | 'products' | 'orders'];

      it(`merge into the objects that ${kind} have, and null removes`, async () => {
        const { path } = await created();
        const patched = async (patch: object | string) => {
          const answer = await ask('PATCH', path, patch);
          expect(answer.status, answer.body.error).to.equal(200);
          expect((await ask('GET', path)).body).to.deep.equal(answer.body);
          return answer.body;
        };
        expect(await patched({ meta: { color: 'red', deep: { a: 1, b: [1], none: null } } })).to.deep.include(
          {
            points: 10,
            meta: { color: 'red', deep: { a: 1, b: [1] } },
          },
        );
        expect(
          await patched({ meta: { size: 2, deep: { a: null, b: [null] } }, tags: ['x'] }),
        ).to.deep.include({
          meta: { color: 'red', size: 2, deep: { b: [null] } },
          tags: ['x'],
        });
        const odd = await patched('{"meta":{"__proto__":{"x":1},"toString":1,"deep":null}}');
        expect(Object.entries(odd['meta'] as object)).to.have.deep.members([
          ['color', 'red'],
          ['size', 2],
          ['__proto__', { x: 1 }],
          ['toString', 1],
        ]);
        expect(await patched({ points: 7, level: 'high' })).to.include({ points: 7, level: 'high' });
        const cleared = await patched({ points: null, level: null, meta: null, tags: null });
        expect(cleared, 'the defaults are answered').to.include({ points: 10, level: 'low', code: 'A' });
        expect(cleared).not.to.have.any.keys('meta', 'tags');
      });

      it(`are checked as a whole record of ${kind} is`, async () => {
        const { path } = await created();
        const before = (await ask('GET', path)).body;
        for (const [patch, error] of [
          [{ code: null }, 'body/code must be string'],
          [{ points: -1 }, 'body/points must be >= 0'],
          [{ level: 'middle' }, 'body/level must be equal to one of the allowed values: low, high'],
          [{ tags: [null] }, 'body/tags/0 must be string'],
          [{ meta: { size: 0, color: 'red' } }, 'body/meta/size must be >= 1'],
          [{ meta: { size: 1 } }, 'body/meta'],
          [{ meta: 5 }, 'body/meta must be object'],
        ] as const) {
          const answer = await ask('PATCH', path, patch);
          expect(answer.status, JSON.stringify(patch)).to.equal(400);
          expect(answer.body.error).to.include(error);
        }
        const deep = await ask('PATCH', path, `{"meta":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}`);
        expect(deep.status).to.equal(400);
        const ignored = await ask('PATCH', path, { balance: 5 });
        expect(ignored.status, 'what is read-only may be sent back').to.equal(200);
        expect((await ask('GET', path)).body).to.deep.equal({ ...before, ...timesOf(ignored.body) });
      });

      it(`in code need only the values of ${kind} that change`, async () => {
        const { id } = await created();
        const { updatedAt: _, version, ...before } = Object(await ofCode().get(operator, id)) as Kept;
        const { updatedAt: __, ...after } = Object(
          await ofCode().update(operator, id, { stored: { points: 5 } }),
        ) as Kept;
        expect(after).to.deep.equal({
          ...before,
          version: version + 1,
          stored: { ...before.stored, points: 5 },
        });
        expect(await refusal(ofCode().update(operator, id, { stored: { points: -5 } }))).to.equal(
          'invalid-input: points must be >= 0',
        );
      });

      it(`add amounts to numbers of ${kind}, of all callers at once`, async () => {
        const { id } = await created();
        const add = (amounts: Record<string, number>) => ofCode().increment(operator, id, amounts);
        const values = async () => (await ofCode().get(operator, id)).stored;
        await Promise.all(Array.from({ length: 25 }, () => add({ points: 2, balance: 0.5 })));
        expect(await values()).to.include({ points: 60, balance: 12.5 });
        expect(await refusal(add({ points: -61 }))).to.equal('invalid-input: points must be >= 0');
        expect(await refusal(add({ points: 941 }))).to.equal('invalid-input: points must be <= 1000');
        expect(await refusal(add({ points: 0.5 }))).to.equal('invalid-input: points must be integer');
        expect(await refusal(add({ balance: Infinity }))).to.match(/^invalid-input: balance /);
        expect(await refusal(add({ code: 1 }))).to.match(/^conflict: code /);
        for (const name of ['none', '__proto__', 'toString'])
          expect(await refusal(add(JSON.parse(`{"${name}":1}`) as Record<string, number>))).to.match(
            new RegExp(`^invalid-input: ${name} must be a stored field`),
          );
        await ofCode().update(operator, id, { stored: { balance: 2 ** 53 - 2 } });
        await add({ balance: 1 });
        expect(await refusal(add({ balance: 1 }))).to.match(/^invalid-input: balance .*2\^53/);
        expect(await values()).to.include({ points: 60, balance: 2 ** 53 - 1 });
        expect(await refusal(ofCode().increment(operator, '999', { points: 1 }))).to.match(/^not-found/);
        const stale = ofCode().increment(operator, id, { points: 1 }, { ifVersion: [1] });
        expect(await refusal(stale)).to.match(/^precondition-failed/);
      });

      it(`add amounts to numbers of ${kind} in a transaction`, async () => {
        const { id } = await created();
        const work = (end: () => void) =>
          service.services.transaction(operator, async (services) => {
            const records = services[kind as 'users'];
            await records.increment(operator, id, { points: 5 });
            const refused = await refusal(records.increment(operator, id, { points: -100 }));
            expect(refused).to.equal('invalid-input: points must be >= 0');
            await records.increment(operator, id, { points: 1 });
            end();
          });
        await work(() => undefined);
        expect((await ofCode().get(operator, id)).stored).to.include({ points: 16 });
        const end = () => {
          throw new ServiceError('conflict', 'no');
        };
        expect(await refusal(work(end))).to.equal('conflict: no');
        expect((await ofCode().get(operator, id)).stored).to.include({ points: 16 });
      });
    }

    it('reach hooks as values, which they may change', async () => {
      const { id } = (await ask('POST', '/api/users', bodies.users())).body;
      const seen: unknown[] = [];
      hook = (_, input, { old }) => {
        seen.push([input.stored, old?.stored?.['points']]);
        return { ...input, stored: { ...input.stored, code: 'B' } };
      };
      const { users } = service.services;
      await Promise.all([1, 1, 1].map((points) => users.increment(operator, id, { points })));
      expect((await users.get(operator, id)).stored).to.include({ points: 13, code: 'B' });
      expect(seen).to.deep.include([{ points: 13 }, 12]);
      await ask('PATCH', `/api/users/${id}`, { meta: { color: 'red' }, points: null });
      expect(seen.at(-1)).to.deep.equal([{ points: undefined, meta: { color: 'red' } }, 13]);
      expect((await users.get(operator, id)).stored).to.deep.include({ code: 'B', meta: { color: 'red' } });
    });

    it('have the defaults in creations by code', async () => {
      const { users, products, orders } = service.services;
      const code = { code: 'A' };
      const user = await users.create(operator, { ...bodies.users(), stored: code });
      expect(user.stored).to.deep.equal({ code: 'A', points: 10, level: 'low' });
      const lamp = { name: 'Lamp', price: 1 };
      const product = await products.create(operator, { ...lamp, stored: { points: 3, level: undefined } });
      expect(product.stored).to.deep.equal({ points: 3, level: 'low' });
      const { userId, items } = bodies.orders();
      const order = await orders.create(operator, { userId, items });
      expect(order.stored).to.deep.equal({ points: 10, level: 'low' });
      const listed = await users.list(operator, {
        ...{ email: undefined, role: undefined, status: undefined, city: undefined },
        stored: { points: 10 },
      });
      expect(listed.data.map(({ id }) => id)).to.include(user.id);
    });
  });
});

interface Kept {
  readonly updatedAt?: string;
  readonly version: number;
  readonly stored: object;
}

const timesOf = ({ updatedAt }: Readonly<Record<string, unknown>>) => (updatedAt ? { updatedAt } : {});
