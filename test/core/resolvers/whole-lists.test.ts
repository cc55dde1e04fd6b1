/** Lists that are promised whole: up to 10,000 on every store, and beyond that an error that says how to page. */

import { expect } from 'chai';
import type { FormattedExecutionResult } from 'graphql';
import type { Storage } from '../../../src/core/ports/storage.js';
import type { SqlStorage, TableRow } from '../../../src/core/ports/store-rows.js';
import type { NewUser } from '../../../src/core/ports/user-store.js';
import { makeContext } from '../../../src/core/resolvers/graphql-context.js';
import { serviceGraphqlEngine } from '../../../src/core/resolvers/graphql-engine.js';
import { anonymous } from '../../../src/core/services/rights/caller.js';
import { openPolicy } from '../../../src/core/services/rights/policy.js';
import { createServices } from '../../../src/core/services/services.js';
import { bareUser } from '../../support/bare-records.js';
import { onEveryStorage } from '../../support/stores.js';

const moment = '2026-01-01T00:00:00.000000Z';

async function* manyUsers(from: number, to: number): AsyncGenerator<TableRow> {
  for (let user = from; user <= to; user += 1) {
    const email = `u${String(user)}@example.com`;
    const row = {
      ...bareUser,
      name: 'Ada',
      email,
      role: 'user',
      status: 'active',
      createdAt: moment,
      updatedAt: moment,
    };
    yield await Promise.resolve({ table: 'users', row });
  }
}

onEveryStorage('GraphQL lists without a limit', (storage) => {
  /** In one step where the store can. */
  async function addUsers(from: number, to: number): Promise<void> {
    const { rows, users } = storage() as Storage & Partial<SqlStorage>;
    if (rows !== undefined) await rows.write(manyUsers(from, to));
    else
      for await (const { row } of manyUsers(from, to)) await users.create(row as unknown as NewUser, moment);
  }

  async function run(query: string): Promise<FormattedExecutionResult> {
    const services = createServices({ storage: storage(), policy: openPolicy });
    const report = (error: unknown): never => {
      throw error;
    };
    const engine = serviceGraphqlEngine({ services, report });
    const operation = engine.prepare({ query });
    if ('errors' in operation) throw new Error('it does not run');
    return await engine.execute(operation, undefined, makeContext(services, anonymous));
  }

  const lengthOf = ({ data }: FormattedExecutionResult): number =>
    (data?.['users'] as readonly unknown[]).length;

  it('hold 10,000 items', async () => {
    await addUsers(1, 10_000);
    expect(lengthOf(await run('{ users { id } }'))).to.equal(10_000);
    expect(lengthOf(await run('{ users(after: 1) { id } }'))).to.equal(9_999);
  });

  it('say how to page where there is one more, and are never cut', async () => {
    await addUsers(10_001, 10_001);
    const { data, errors } = await run('{ users { id } }');
    expect(data).to.equal(null);
    expect(errors?.map(({ message, extensions }) => [message, extensions])).to.deep.equal([
      ['The list has more than 10000 items: page it with limit and after', { code: 'LIMIT_EXCEEDED' }],
    ]);
    expect(lengthOf(await run('{ users(limit: 10000) { id } }'))).to.equal(10_000);
    expect(lengthOf(await run('{ users(limit: 10000, after: 10000) { id } }'))).to.equal(1);
    expect(lengthOf(await run('{ users(after: 1) { id } }'))).to.equal(10_000);
  });
});
