/** Tests listing users. */
import { expect } from 'chai';
import { memoryStorage } from '../../../../src/core/storage/memory.js';
import { anonymous } from '../../../../src/core/services/rights/caller.js';
import { openPolicy } from '../../../../src/core/services/rights/policy.js';
import { fixture, refused } from '../fixture.js';
import { bareUser } from '../../../support/bare-records.js';
import { everyUser } from '../../../../src/core/ports/user-store.js';
import { eve } from '../../../support/sample-inputs.js';

describe('UsersService lists', () => {
  async function crowd(count: number) {
    const storage = memoryStorage();
    const all = await fixture(openPolicy, { storage });
    for (let number = 4; number <= count; number++) {
      const user = {
        name: `U${number}`,
        email: `u${number}@example.com`,
        role: 'user',
        status: 'active',
      } as const;
      await storage.users.create(
        { ...bareUser, ...user, ...(number % 2 && { city: 'Rome' }) },
        '2026-01-01T00:00:00.000000Z',
      );
    }
    return all.services.users;
  }

  it('gives the first hundred and the whole total when nothing is asked', async () => {
    const { data, pagination } = await (await crowd(120)).list(anonymous, everyUser);
    expect(data.map(({ id }) => id)).to.deep.equal(
      Array.from({ length: 100 }, (_, index) => String(index + 1)),
    );
    expect(pagination).to.include({ page: 1, limit: 100, total: 120 });
  });

  it('pages by offset through the users that match the filter', async () => {
    const users = await crowd(40);
    const { data, pagination } = await users.list(
      anonymous,
      { ...everyUser, city: 'Rome', role: 'user' },
      { page: 2, limit: 5 },
    );
    expect(data.map(({ id }) => id)).to.deep.equal(['15', '17', '19', '21', '23']);
    expect(pagination).to.deep.equal({
      page: 2,
      limit: 5,
      total: 18,
      totalPages: 4,
      hasNext: true,
      hasPrev: true,
    });
    expect((await users.list(anonymous, { ...everyUser, role: 'nobody' })).pagination.total).to.equal(0);
  });

  it('pages by cursor to the end; an empty cursor is the start', async () => {
    const users = await crowd(25);
    const met: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { data, pagination } = await users.listByCursor(anonymous, everyUser, {
        cursor,
        limit: undefined,
      });
      met.push(...data.map(({ id }) => id));
      expect(pagination).to.include({ limit: 10, hasNext: pagination.nextCursor !== null });
      cursor = pagination.nextCursor;
    }
    expect(met).to.deep.equal(Array.from({ length: 25 }, (_, index) => String(index + 1)));
  });

  it('has no next page when the limit is met exactly', async () => {
    const { pagination } = await (
      await crowd(10)
    ).listByCursor(anonymous, everyUser, { cursor: undefined, limit: 10 });
    expect(pagination).to.deep.equal({ nextCursor: null, hasNext: false, limit: 10 });
  });

  it('refuses a cursor that is not digits', async () => {
    const users = await crowd(3);
    await refused(
      users.listByCursor(anonymous, everyUser, { cursor: 'abc', limit: undefined }),
      'invalid-input',
      /^cursor must/,
    );
  });

  it('returns a whole list, a part of it, or an error that says how to page', async () => {
    const users = await crowd(10_000);
    expect(await users.listAll(anonymous)).to.have.length(10_000);
    expect((await users.listAll(anonymous, { after: '9', limit: 2 })).map(({ id }) => id)).to.deep.equal([
      '10',
      '11',
    ]);
    expect(await users.listAll(anonymous, { limit: undefined, after: '9990' })).to.have.length(10);
    await users.create(anonymous, { ...eve });
    await refused(users.listAll(anonymous), 'limit-exceeded', /limit and after/);
    expect(await users.listAll(anonymous, { after: undefined, limit: 10_000 })).to.have.length(10_000);
    for (const limit of [0, -1, 1.5, 10_001, NaN]) {
      await refused(users.listAll(anonymous, { after: undefined, limit }), 'invalid-input', /^limit must/);
    }
    await refused(users.listAll(anonymous, { limit: undefined, after: 'x' }), 'invalid-input', /^after must/);
  });
});
