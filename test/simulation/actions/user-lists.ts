/** Reads the user collection in every form of paging and version. */

import { type Action, Refusals, same } from '../calls.js';
import { callerOf, isAfter, sorted, isRefused } from '../model.js';
import { type Query, drawPaging, expectEach, pagingOf, pathOf, queryOf, sliceOf } from './paging.js';
import { drawId, drawSender } from './senders.js';
import { expectUser } from './users.js';

const listUsers: Action = {
  name: 'listUsers',
  weight: 5,
  draw(random, model) {
    const query = {
      ...(random.chance(0.2) && { role: random.pick(['user', 'admin']) }),
      ...(random.chance(0.2) && { status: random.pick(['active', 'inactive']) }),
      ...(random.chance(0.2) && { city: random.pick(['Ulm', 'ulm', '__proto__']) }),
      ...(random.chance(0.4)
        ? {
            cursor: random.pick(['', drawId(random, model.users, model.last['user'])]),
            limit: random.pick(['1', '3', '100']),
          }
        : drawPaging(random)),
    };
    return { method: 'GET', path: pathOf('/api/users', query), sender: drawSender(random, model) };
  },
  judge(model, call, answer) {
    const query = queryOf(call.path);
    const isAsked = new Refusals().when(isRefused(model, callerOf(model, call.sender, true)), 401);
    if (!isAsked.judge(answer, 200)) return;
    const fits =
      (name: 'role' | 'status' | 'city') => (user: { readonly [Name in typeof name]?: string | undefined }) =>
        !query.has(name) || user[name] === query.get(name);
    const users = sorted(model.users).filter(fits('role')).filter(fits('status')).filter(fits('city'));
    const body = answer.body as {
      data: unknown;
      total?: number;
      pagination?: Readonly<Record<string, unknown>>;
    };
    const cursor = query.get('cursor');
    if (cursor !== null) {
      const { limit } = pagingOf(query, 10);
      const later = users.filter(({ id }) => cursor === '' || isAfter(id, cursor));
      expectEach(body.data, later.slice(0, limit), expectUser);
      const hasNext = later.length > limit;
      same('pagination', body.pagination, {
        nextCursor: hasNext ? later[limit - 1]?.id : null,
        hasNext,
        limit,
      });
    } else if (query.has('page') || query.has('limit')) {
      const { page, limit } = pagingOf(query, 10);
      expectEach(body.data, sliceOf(users, { page, limit }), expectUser);
      const total = users.length;
      const totalPages = Math.ceil(total / limit);
      same('pagination', body.pagination, {
        page,
        limit,
        total,
        totalPages,
        hasNext: page * limit < total,
        hasPrev: page > 1,
      });
    } else {
      expectEach(body.data, users.slice(0, 100), expectUser);
      same('total', body.total, users.length);
    }
  },
};

const listVersions: Action = {
  name: 'the versions of listUsers',
  weight: 2,
  draw(random, model) {
    const sender = drawSender(random, model);
    const query = random.pick<Query>([
      {},
      { version: '1' },
      { version: '2' },
      { version: '' },
      { version: '3' },
    ]);
    const header = random.pick(['1', '2', '', '4', undefined]);
    const headers = header === undefined ? {} : { 'x-api-version': header };
    const path = random.pick(['/api/v1/users', '/api/v2/users']);
    if (random.chance(0.3)) return { method: 'GET', path, sender };
    return { method: 'GET', path: pathOf('/api/users', query), sender, headers };
  },
  judge(model, call, answer) {
    const inPath = /^\/api\/v([12])/.exec(call.path)?.[1];
    const asked =
      inPath ?? (queryOf(call.path).get('version') || call.headers?.['x-api-version'] || undefined);
    const refusals = new Refusals()
      .when(isRefused(model, callerOf(model, call.sender, true)), 401)
      .when(asked !== undefined && asked !== '1' && asked !== '2', 400);
    if (!refusals.judge(answer, 200)) return;
    const users = sorted(model.users).slice(0, 100);
    const body = answer.body as { data?: unknown; version?: unknown; metadata?: { total?: unknown } };
    if (asked === '1') {
      same(
        'version 1',
        body,
        users.map(({ id, name, email, phone }) => ({ id, name, email, ...(phone && { phone }) })),
      );
      same('the deprecation', answer.headers.get('x-api-deprecated'), 'true');
    } else if (asked === '2') {
      same('version', body.version, 2);
      same('total', body.metadata?.total, model.users.size);
      expectEach(body.data, users, (what, one, { name, email }) => {
        const { fullName, emailAddress } = one as { fullName: unknown; emailAddress: unknown };
        same(what, { fullName, emailAddress }, { fullName: name, emailAddress: email });
      });
    } else expectEach(body.data, users, expectUser);
  },
};

export const userListActions: readonly Action[] = [listUsers, listVersions];
