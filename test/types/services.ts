/** What the compiler knows of partial updates, amounts, and rules of a policy, for code that calls the services. */

import type { Programs, Refusal } from './programs.js';

const PROGRAM = `
import { type Caller, type Policy, type Services, type WriteHooks, openPolicy } from '../../../src/core/index.js';
import { testCore } from '../../../src/core/testing.js';

declare const services: Services;
declare const caller: Caller;

export async function change(id: string): Promise<number> {
  await services.users.create(caller, { name: 'Ada', email: 'ada@example.com' });
  await services.products.create(caller, { name: 'Lamp', price: 5 });
  const user = await services.users.update(caller, id, { stored: { points: 5 } });
  await services.users.update(caller, id, { city: null, role: undefined }, { ifVersion: [user.version] });
  await services.users.update(caller, id, { stored: ({ points = 0 }) => ({ points: Number(points) + 1 }) });
  await services.products.update(caller, id, { description: null });
  await services.orders.update(caller, id, { items: [{ productId: '1', quantity: 1 }] });
  return (await services.users.increment(caller, id, { points: 5 })).version;
}

export const policy: Policy = {
  ...openPolicy,
  'products.read': { where: () => ({ stored: { tenantId: 'north' } }) },
  'orders.read': { where: ({ kind }) => (kind === 'anonymous' ? undefined : { owner: '1' }) },
};

export const hooks: WriteHooks = {
  'users.update': {
    needs: 'database',
    before: (_, input) => ({ ...input, stored: { ...input.stored, points: 1 } }),
    after: (user) => void user.version,
  },
};

export const one = async () => (await testCore({ hooks })).caller.role;
`;

const REFUSALS: readonly Refusal[] = [
  {
    what: 'null for what a user must have',
    change: ['{ city: null, role', '{ name: null, role'],
    says: /TS2322[^]*'null' is not assignable to type 'string \| undefined'/,
  },
  {
    what: 'a field that a user does not have',
    change: ['{ city: null, role', '{ town: null, role'],
    says: /TS2353[^]*'town' does not exist in type 'UserPatch'/,
  },
  {
    what: 'null for the price of a product',
    change: ['{ description: null }', '{ price: null }'],
    says: /TS2322[^]*'null' is not assignable/,
  },
  {
    what: 'the user of an order',
    change: ["{ items: [{ productId: '1', quantity: 1 }] }", "{ userId: '2' }"],
    says: /TS2353[^]*'userId' does not exist in type 'OrderPatch'/,
  },
  {
    what: 'an amount that is no number',
    change: ['increment(caller, id, { points: 5 })', "increment(caller, id, { points: '5' })"],
    says: /TS2322[^]*'string' is not assignable to type 'number'/,
  },
  {
    what: 'an equality where no store filters a list',
    change: ["'products.read': { where", "'products.write': { where"],
    says: /TS2353[^]*'where' does not exist/,
  },
  {
    what: 'an owner of records that have none',
    change: ["({ stored: { tenantId: 'north' } })", "({ owner: '1' })"],
    says: /TS2322[^]*'string' is not assignable to type 'undefined'/,
  },
  {
    what: 'another need of a hook',
    change: ["needs: 'database'", "needs: 'databse'"],
    says: /TS2820|TS2322/,
  },
];

export const services: Programs = { title: 'services', program: PROGRAM, refusals: REFUSALS };
