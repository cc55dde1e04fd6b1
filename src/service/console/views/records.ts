/** Orders and posts: find and read them. */

import { all, h, link, time } from '../parts/dom.js';
import {
  badge,
  beforeOf,
  facts,
  filters,
  heading,
  older,
  pageOf,
  pager,
  type Route,
  table,
} from '../parts/parts.js';
import type { Texts } from '../parts/parts.js';
import { client, expecting, given } from '../parts/session.js';

const money = (amount: number): string => amount.toFixed(2);

/** The address of the record whose id was typed; undefined if none was. */
const byId =
  (name: string) =>
  ({ id }: Texts): string | undefined =>
    id ? `#/${name}/${encodeURIComponent(id)}` : undefined;

export async function ordersView(route: Route): Promise<Node> {
  const query = { ...pageOf(route), ...given({ userId: route.query['userId'] }) };
  const { headers, body } = expecting(await client.listOrders({ query }), 200);
  return all(
    heading('Orders'),
    filters(route, { id: { label: 'Order id' }, userId: { label: 'User id' } }, byId('orders')),
    table('Orders', body, {
      Id: ({ id }) => link(id, `orders/${id}`),
      User: ({ userId }) => link(userId, `users/${userId}`),
      Status: ({ status }) => badge(status),
      Items: ({ items }) => String(items.length),
      Total: ({ total }) => money(total),
      Created: ({ createdAt }) => time(createdAt),
    }),
    pager(route, headers),
  );
}

export async function orderView(id: string): Promise<Node> {
  const { body: order } = expecting(await client.getOrder({ path: { id } }), 200);
  const comments = expecting(await client.listComments({ query: { orderId: id } }), 200).body;
  const times = { Created: time(order.createdAt), Changed: time(order.updatedAt) };
  return all(
    heading(
      `Order ${id}`,
      link('All orders', 'orders'),
      link(`User ${order.userId}`, `users/${order.userId}`),
    ),
    facts({ Status: badge(order.status), Total: money(order.total), ...times }),
    h('h2', {}, 'Items'),
    table('Items', order.items, {
      Name: ({ name }) => name,
      Quantity: ({ quantity }) => String(quantity),
      Price: ({ unitPrice }) => money(unitPrice),
    }),
    h('h2', {}, 'Comments'),
    table('Comments', comments, {
      User: ({ userId }) => link(userId, `users/${userId}`),
      Comment: ({ text }) => text,
      When: ({ createdAt }) => time(createdAt),
    }),
  );
}

export async function postsView(route: Route): Promise<Node> {
  const { body } = expecting(await client.getFeed({ query: beforeOf(route) }), 200);
  return all(
    heading('Posts'),
    filters(route, { id: { label: 'Post id' } }, byId('posts')),
    table('Posts', body.data, {
      Id: ({ id }) => id,
      Title: ({ id, title }) => link(title, `posts/${id}`),
      Author: ({ authorId }) => link(authorId, `users/${authorId}`),
      Created: ({ createdAt }) => time(createdAt),
    }),
    older(route, body),
  );
}

export async function postView(id: string): Promise<Node> {
  const { body: post } = expecting(await client.getPost({ path: { id } }), 200);
  const { title, content, authorId, createdAt } = post;
  return all(
    heading(title, link('All posts', 'posts')),
    facts({ Id: id, Author: link(authorId, `users/${authorId}`), Created: time(createdAt) }),
    h('p', { class: 'content' }, content),
  );
}
