/** What must cost the same in a small store and in a large one: it reads the rows that it returns, and no more. */
import { expect } from 'chai';
import { everyOrder, everyComment } from '../../../src/core/ports/order-store.js';
import type { Storage } from '../../../src/core/ports/storage.js';
import { type UserFilter, everyUser, unchangedUser } from '../../../src/core/ports/user-store.js';
import { sqlStorage } from '../../../src/core/storage/sql/storage.js';
import type { PlanningRunner } from './planning-runner.js';

/** Rows enough for PostgreSQL to find an index worth its while. */
export const amounts = { users: 20_000, posts: 20_000, orders: 20_000, deliveries: 20_000 };

const middle = '10000';
const after = { after: middle, limit: 11 };
const now = '2026-06-01T00:00:00.000000Z';
const later = '2026-06-01T00:01:00.000000Z';
const someIds = Array.from({ length: 50 }, (_, index) => String(1 + 100 * index));

const filters: readonly UserFilter[] = [
  { ...everyUser, role: 'admin' },
  { ...everyUser, status: 'inactive' },
  { ...everyUser, city: 'City 7' },
  { ...everyUser, role: 'admin', status: 'active' },
  { ...everyUser, role: 'user', city: 'City 7' },
  { ...everyUser, status: 'active', city: 'City 7' },
  { ...everyUser, role: 'user', status: 'active', city: 'City 7' },
  { ...everyUser, email: 'User7@example.com' },
];

const queries: Readonly<Record<string, (storage: Storage) => Promise<unknown>>> = {
  'a user': ({ users }) => users.find(middle),
  'users by ids': ({ users }) => users.findMany(someIds),
  credentials: ({ users }) => users.findCredentials('User7@example.com'),
  'the user of an identity': ({ externalIdentities }) =>
    externalIdentities.findUser({ issuer: 'https://id.example.com', subject: '7' }),
  'a page of users': ({ users }) => users.list(everyUser, after),
  'an early page of users by offset': ({ users }) => users.list(everyUser, { offset: 20, limit: 10 }),
  'a late page of users by offset': ({ users }) => users.list(everyUser, { offset: 15_000, limit: 10 }),
  'a late page of active users by offset': ({ users }) =>
    users.list({ ...everyUser, status: 'active' }, { offset: 15_000, limit: 10 }),
  'how many active users there are': ({ users }) => users.count({ ...everyUser, status: 'active' }),
  'how many users a city has': ({ users }) => users.count({ ...everyUser, city: 'City 7' }),
  'a late page of orders by offset': ({ orders }) => orders.list(everyOrder, { offset: 15_000, limit: 10 }),
  'a late page of comments by offset': ({ comments }) =>
    comments.list(everyComment, { offset: 15_000, limit: 10 }),
  ...Object.fromEntries(
    filters.map((filter) => [
      `a page of users with ${Object.keys(filter).join(', ')}`,
      ({ users }: Storage) => users.list(filter, after),
    ]),
  ),
  'a page of posts': ({ posts }) => posts.list(after),
  'a page of posts by time': ({ posts }) => posts.listSince('2026-01-01T03:00:00.000000Z', 10),
  'a page of the feed': ({ posts }) => posts.listBefore(middle, 21),
  "a page of an author's posts": ({ posts }) => posts.listByAuthor('7', after),
  'the posts of authors': ({ posts }) => posts.listByAuthors(someIds, 10_001),
  'an order': ({ orders }) => orders.find(middle),
  'a page of orders': ({ orders }) => orders.list(everyOrder, after),
  "a page of a user's orders": ({ orders }) => orders.list({ userId: '7' }, { after: undefined, limit: 11 }),
  'how many orders a user has': ({ orders }) => orders.count({ userId: '7' }),
  'the orders of users in brief': ({ orders }) => orders.summarize(someIds, 100),
  'a page of comments': ({ comments }) => comments.list(everyComment, after),
  "a page of an order's comments": ({ comments }) =>
    comments.list({ ...everyComment, orderId: '7' }, { after: '1', limit: 11 }),
  'the comments that concern a user': ({ comments }) =>
    comments.list({ ...everyComment, concerning: '7' }, { after: undefined, limit: 11 }),
  'how many comments concern a user': ({ comments }) => comments.count({ ...everyComment, concerning: '7' }),
  'how many users there are': ({ users }) => users.count(everyUser),
  'how many orders there are': ({ orders }) => orders.count(everyOrder),
  'how many comments there are': ({ comments }) => comments.count(everyComment),
  'a change of an email': ({ users }) =>
    users.update('7', { ...unchangedUser, email: 'new@example.com' }, now),
  'a change of an order': ({ orders }) =>
    orders.update('7', { status: 'processing' }, { version: undefined, status: 'pending' }, now),
  'the receivers of what is due': ({ outbox }) => outbox.receivers(now),
  'a claim of deliveries': ({ outbox }) => outbox.claim('1', now, later, 100),
  'what came of deliveries': ({ outbox }) =>
    outbox.settle(['20001', '20002'], { status: 'delivered', changedAt: now, isAttempt: true }),
  'a page of deliveries': ({ outbox }) => outbox.listDeliveries('1', { offset: 100, limit: 100 }),
  'how many deliveries a webhook has': ({ outbox }) => outbox.countDeliveries('1', '30000', 100),
  'a page of failed deliveries': ({ outbox }) =>
    outbox.listDeliveries('1', { offset: 0, limit: 100 }, 'failed'),
  'the oldest pending deliveries': ({ outbox }) =>
    outbox.listDeliveries('1', { offset: 0, limit: 20 }, 'pending', 'oldest first'),
  'how many deliveries wait': ({ outbox }) => outbox.countWaiting({ receiverId: '1', last: '30000' }, 100),
  'waiting deliveries to hasten': ({ outbox }) => outbox.hasten('1', '30000', now, 100),
  'a waiting delivery to hasten': ({ outbox }) => outbox.hastenOne('1', '30000', now),
  'failed deliveries': ({ outbox }) => outbox.redeliver('1', undefined, now, 100),
  'deliveries that have expired': ({ outbox }) => outbox.deleteExpired('2026-01-01T00:01:00.000000Z', 100),
  'deliveries to delete with their webhook': ({ outbox }) => outbox.delete('1', 100),
  'the end of a user': ({ users }) => users.delete('8'),
};

/**
 * Makes a test of each query.
 *
 * @param session gives the session on a store that holds {@link amounts}
 * @param readsAll tells of a line of a plan whether it reads a whole table of records
 */
export function testBoundedQueries(session: () => PlanningRunner, readsAll: (line: string) => boolean): void {
  for (const [name, ask] of Object.entries(queries)) {
    it(`reads ${name} through an index`, async () => {
      await ask(sqlStorage(session()));
      const plans = session().takePlans();
      expect(plans).to.not.be.empty;
      expect(plans.filter(readsAll), plans.join('\n')).to.be.empty;
    });
  }

  for (const filter of [everyUser, ...filters]) {
    const given = [filter.role, filter.status, filter.city].filter((value) => value !== undefined);
    it(`pages by position through the users ${given.join(' ')}, from either end, as through their ids`, async () => {
      const { users } = sqlStorage(session());
      const all = await users.list(filter, { after: undefined, limit: amounts.users });
      expect(await users.count(filter)).to.equal(all.length);
      for (const offset of [10, all.length / 2, all.length - 4000, all.length - 7, all.length, 9e15]) {
        const page = await users.list(filter, { offset: Math.max(0, Math.floor(offset)), limit: 10 });
        expect(page, `from ${offset}`).to.deep.equal(all.slice(Math.max(0, Math.floor(offset))).slice(0, 10));
      }
      session().takePlans();
    });
  }
}
