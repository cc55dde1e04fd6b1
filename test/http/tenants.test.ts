/** Two tenants in one store, kept apart by a policy whose rows are functions: over REST and GraphQL, alone and in lists. */
import { expect } from 'chai';
import { jwtCodec } from '../../src/core/identity/jwt.js';
import type { Id } from '../../src/core/model/id.js';
import { timestampOf } from '../../src/core/model/timestamp.js';
import { type Caller, operator } from '../../src/core/services/rights/caller.js';
import { type Policy, protectedPolicy } from '../../src/core/services/rights/policy.js';
import type { TestService } from '../support/service.js';
import { bearer, secrets } from '../support/sign-in.js';
import { onEveryStore } from '../support/stores.js';
import { type GraphqlResult, run } from './graphql-requests.js';

/** Which tenant a user is of: what a deployment would read from a claim or a table of its own. */
const tenants = new Map<Id, string>();

const isWithin = (caller: Caller, userId: Id): boolean =>
  caller.kind === 'user' &&
  (caller.id === operator.id || (tenants.has(caller.id) && tenants.get(caller.id) === tenants.get(userId)));

const ofUser = (caller: Caller, { id }: { readonly id: Id }) => isWithin(caller, id);
const ofOrder = (caller: Caller, { userId }: { readonly userId: Id }) => isWithin(caller, userId);
const ofPost = (caller: Caller, { authorId }: { readonly authorId: Id }) => isWithin(caller, authorId);

const tenantPolicy: Policy = {
  ...protectedPolicy,
  'users.read': ofUser,
  'users.update': ofUser,
  'users.delete': ofUser,
  'posts.read': ofPost,
  'orders.read': ofOrder,
  'orders.create': ofOrder,
  'orders.replace': ofOrder,
  'orders.cancel': ofOrder,
  'orders.delete': ofOrder,
  'comments.read': ofOrder,
  'comments.create': ofOrder,
  'products.read': ({ kind }, { name }) => kind === 'anonymous' || name !== 'Secret',
};

const settings = () => ({
  policy: tenantPolicy,
  accessTokenSecret: secrets.accessSecret,
  refreshTokenSecret: secrets.refreshSecret,
});

const codec = jwtCodec(secrets);
const tokenOf = (userId: Id) =>
  bearer(
    codec.signAccess(
      { userId, email: undefined, role: undefined },
      { from: timestampOf(Date.now()), seconds: 60 },
    ),
  );

interface Tenant {
  readonly headers: { readonly authorization: string };
  readonly userIds: readonly Id[];
  readonly orderIds: readonly Id[];
  readonly postIds: readonly Id[];
  readonly commentIds: readonly Id[];
}

const items = [{ name: 'Twine', unitPrice: 1, quantity: 1 }];

/** Fills two tenants in turn, so that the records of both lie between each other. */
async function fill({ services }: TestService, rounds: number): Promise<readonly [Tenant, Tenant]> {
  const { users, orders, posts, comments } = services;
  const made = ['north', 'south'].map((name) => ({
    name,
    userIds: [] as Id[],
    orderIds: [] as Id[],
    postIds: [] as Id[],
    commentIds: [] as Id[],
  }));
  for (let round = 0; round < rounds; round += 1) {
    for (const { name, userIds, orderIds, postIds, commentIds } of made) {
      const email = `${name}${String(round)}@example.com`;
      const user = await users.create(operator, { name, email });
      tenants.set(user.id, name);
      userIds.push(user.id);
      const order = await orders.create(operator, { userId: user.id, items });
      orderIds.push(order.id);
      const post = await posts.create(operator, { title: name, content: 'Text', authorId: user.id });
      postIds.push(post.id);
      const comment = { orderId: order.id, userId: user.id, text: name };
      commentIds.push((await comments.create(operator, comment)).id);
    }
  }
  const [north, south] = made.map((tenant) => ({ ...tenant, headers: tokenOf(tenant.userIds[0] ?? '') }));
  return [north ?? expect.fail(), south ?? expect.fail()];
}

const idsOf = (list: unknown): readonly Id[] => (list as readonly { id: Id }[]).map(({ id }) => id);

onEveryStore(
  'Tenants',
  (service) => {
    const rounds = 13;
    let north: Tenant;
    let south: Tenant;
    before(async () => {
      tenants.clear();
      [north, south] = await fill(service, rounds);
    });

    const get = (path: string, { headers }: Pick<Tenant, 'headers'> = north) => service.get(path, headers);
    const query = async (text: string, { headers }: Tenant = north): Promise<GraphqlResult> =>
      await run(service, text, headers);

    it("see their own records, and no trace of the other's", async () => {
      const paths = ({ userIds, orderIds, commentIds }: Tenant) => [
        `/api/users/${userIds[1] ?? ''}`,
        `/api/orders/${orderIds[1] ?? ''}`,
        `/api/users/${userIds[1] ?? ''}/orders`,
        `/api/users/${userIds[1] ?? ''}/orders/${orderIds[1] ?? ''}`,
        `/api/comments/${commentIds[1] ?? ''}`,
      ];
      for (const path of paths(north)) expect((await get(path)).status, path).to.equal(200);
      for (const path of paths(south)) {
        const unknown = await get(path.replaceAll(/\d+/g, '999999'));
        const answer = await get(path);
        expect([answer.status, answer.body], path).to.deep.equal([404, unknown.body]);
        expect((await get(path, { headers: tokenOf('999999') })).status, path).to.equal(401);
        expect((await service.get(path)).status, path).to.equal(404);
      }
    });

    it("change their own records, and not the other's", async () => {
      const [, own = ''] = north.orderIds;
      const [, other = ''] = south.orderIds;
      const { headers } = north;
      expect((await service.put(`/api/orders/${own}`, { items }, headers)).status).to.equal(200);
      expect((await service.post(`/api/orders/${own}/cancel`, undefined, headers)).status).to.equal(200);
      expect((await service.put(`/api/orders/${other}`, { items }, headers)).status).to.equal(404);
      expect((await service.post(`/api/orders/${other}/cancel`, undefined, headers)).status).to.equal(404);
      expect((await service.delete(`/api/orders/${other}`, headers)).status).to.equal(404);
      const order = { items, userId: south.userIds[1] };
      expect((await service.post('/api/orders', order, headers)).status).to.equal(403);
      const comment = { orderId: other, text: 'Hello' };
      expect((await service.post('/api/comments', comment, headers)).body).to.deep.equal({
        error: 'body/orderId must be the id of an order',
      });

      const [, friend = ''] = north.userIds;
      const [, stranger = ''] = south.userIds;
      const input = { name: 'North', email: 'renamed@example.com' };
      const renamed = await service.put(`/api/users/${friend}`, input, headers);
      expect(renamed.status).to.equal(200);
      expect((await service.put(`/api/users/${stranger}`, input, headers)).status).to.equal(404);
      expect((await service.delete(`/api/users/${stranger}`, headers)).status).to.equal(404);
      const stale = { ...headers, 'if-match': '"another"' };
      expect((await service.put(`/api/users/${friend}`, input, stale)).status).to.equal(412);
      expect((await service.put(`/api/users/${stranger}`, input, stale)).status).to.equal(404);
      expect((await get(`/api/users/${stranger}`, south)).body).to.include({ name: 'south' });
    });

    it('list their own records, with totals that count no others', async () => {
      for (const tenant of [north, south]) {
        const users = await get('/api/users', tenant);
        expect(idsOf((users.body as { data: unknown }).data)).to.deep.equal(tenant.userIds);
        expect(users.body).to.have.property('total', rounds);
        const page = await get('/api/users?page=3&limit=5', tenant);
        expect(idsOf((page.body as { data: unknown }).data)).to.deep.equal(tenant.userIds.slice(10));
        expect(page.body).to.have.deep.property('pagination', {
          page: 3,
          limit: 5,
          total: rounds,
          totalPages: 3,
          hasNext: false,
          hasPrev: true,
        });
        const orders = await get('/api/orders?page=2&limit=6', tenant);
        expect(idsOf(orders.body)).to.deep.equal(tenant.orderIds.slice(6, 12));
        expect(orders.headers).to.include({ 'x-total-count': String(rounds) });
        expect(idsOf((await get('/api/comments', tenant)).body)).to.deep.equal(tenant.commentIds);
      }
      expect((await service.get('/api/orders')).body).to.deep.equal([]);
      expect((await get(`/api/orders?userId=${south.userIds[0] ?? ''}`)).body).to.deep.equal([]);
    });

    it('page by position through their own records only', async () => {
      const seen: Id[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const { body } = await get(`/api/users?cursor=${cursor}&limit=4`, south);
        const page = body as { data: unknown; pagination: { nextCursor: string | null } };
        seen.push(...idsOf(page.data));
        cursor = page.pagination.nextCursor;
      }
      expect(seen).to.deep.equal(south.userIds);
      const feed = (await get('/api/feed?limit=3', south)).body as { data: unknown };
      expect(idsOf(feed.data)).to.deep.equal(south.postIds.slice(-3).reverse());
      expect(feed).to.include({ hasMore: true });
      const { body: first } = await get('/api/posts?limit=5', south);
      const { data, pagination } = first as { data: unknown; pagination: { since: string } };
      expect(idsOf(data)).to.deep.equal(south.postIds.slice(0, 5));
      const { body: rest } = await get(
        `/api/posts?limit=20&since=${encodeURIComponent(pagination.since)}`,
        south,
      );
      expect(idsOf((rest as { data: unknown }).data)).to.deep.equal(south.postIds.slice(5));
    });

    it('embed the orders that they may see', async () => {
      const { body } = await get('/api/users?embed=orders', south);
      const embedded = (body as { data: readonly { orders: readonly { id: Id }[] }[] }).data;
      expect(embedded.flatMap(({ orders }) => idsOf(orders))).to.deep.equal(south.orderIds);
      expect(embedded[0]?.orders[0]).to.deep.equal({ id: south.orderIds[0], total: 1 });
    });

    it('see the same over GraphQL', async () => {
      const { data } = await query('{ users { id email posts { id } } posts { id author { id email } } }');
      const { users, posts } = data as Record<'users' | 'posts', readonly { id: Id; posts: unknown }[]>;
      expect(idsOf(users)).to.deep.equal(north.userIds);
      expect(users.flatMap((user) => idsOf(user.posts))).to.deep.equal(north.postIds);
      expect(idsOf(posts)).to.deep.equal(north.postIds);
      const [id = ''] = south.userIds;
      const [postId = ''] = south.postIds;
      const other = await query(`{ user(id: ${id}) { name } post(id: ${postId}) { title } }`);
      expect(other).to.deep.equal({ data: { user: null, post: null } });
      const update = await query(`mutation { updateUser(id: ${id}, name: "Taken") { name } }`);
      expect(update.errors?.[0]).to.have.nested.property('extensions.code', 'NOT_FOUND');
    });

    it('hide records of no user too', async () => {
      const { products } = service.services;
      const secret = await products.create(operator, { name: 'Secret', price: 1 });
      const plain = await products.create(operator, { name: 'Plain', price: 1 });
      expect((await get(`/api/products/${secret.id}`)).status).to.equal(404);
      expect((await get(`/api/products/${secret.id}/categories`)).status).to.equal(404);
      expect((await service.get(`/api/products/${secret.id}`)).status).to.equal(200);
      const list = (await get('/api/products')).body as { data: unknown; total: number };
      expect([idsOf(list.data), list.total]).to.deep.equal([[plain.id], 1]);
    });
  },
  settings,
);
