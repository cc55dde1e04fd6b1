/** Reads the user collection in every form of paging and version. */

import { type Action, type Answer, type Call, Fault, Refusals, same } from '../calls.js';
import { type Model, type User, callerOf, isAfter, isRefused, sorted } from '../model.js';
import type { Random } from '../random.js';
import { expectAllSeen } from '../records.js';
import {
  type Query,
  drawEnvelope,
  drawPaging,
  expectCollection,
  expectEach,
  expectPageHeaders,
  oddNumbers,
  pagingOf,
  pathOf,
  queryOf,
  sliceOf,
} from './paging.js';
import { drawSender, drawUserId } from './senders.js';
import { expectOrders, expectUser } from './users.js';

const filters = ['role', 'status', 'city', 'email'] as const;

function drawFilters(random: Random, model: Model): Query {
  const email = model.users.get(drawUserId(random, model))?.email ?? 'nobody@example.com';
  return {
    ...(random.chance(0.2) && { role: random.pick(['user', 'admin', 'nobody']) }),
    ...(random.chance(0.2) && { status: random.pick(['active', 'inactive']) }),
    ...(random.chance(0.2) && { city: random.pick(['Ulm', 'ulm', 'Ul', 'Bonn', '__proto__']) }),
    ...(random.chance(0.1) && { email: random.pick([email, email.toUpperCase()]) }),
  };
}

/** The users that all filters of a query fit: exactly, but for the case of an email. */
function filtered(model: Model, query: URLSearchParams): readonly User[] {
  const form = (name: string, value: string | undefined) => (name === 'email' ? value?.toLowerCase() : value);
  return sorted(model.users).filter((user) =>
    filters.every((name) => !query.has(name) || form(name, user[name]) === form(name, query.get(name) ?? '')),
  );
}

const listUsers: Action = {
  name: 'listUsers',
  weight: 7,
  draw(random, model) {
    const isByCursor = random.chance(0.4);
    // After it come as many as a page has, or one more.
    const nearEnd = sorted(model.users).at(-random.pick([1, 2, 3, 4, 10, 11, 12, 100, 101, 102]))?.id ?? '0';
    const query = {
      ...drawFilters(random, model),
      ...(random.chance(0.1) && { embed: 'orders' }),
      ...(isByCursor && { cursor: random.pick(['', drawUserId(random, model), nearEnd]) }),
      // Paging parameters together, each of which asks for another form.
      ...(isByCursor &&
        random.chance(0.1) &&
        random.pick<Query>([{ page: '1' }, { version: '1' }, { page: 'x' }])),
      ...(isByCursor &&
        random.chance(0.6) && { limit: random.pick(['1', '3', '100', '101', ...oddNumbers]) }),
      ...(!isByCursor && drawPaging(random, model.users.size)),
      ...(isByCursor && random.chance(0.9) ? {} : drawEnvelope(random)),
    };
    return { method: 'GET', path: pathOf('/api/users', query), sender: drawSender(random, model) };
  },
  judge(model, call, answer) {
    const query = queryOf(call.path);
    const caller = callerOf(model, call.sender, true);
    const cursor = query.get('cursor');
    const isTwice = query.has('page') || query.has('version') || query.get('envelope') === 'false';
    const refusals = new Refusals().when(isRefused(model, caller), 401).when(cursor !== null && isTwice, 400);
    if (!refusals.judge(answer, 200)) return;
    // A contract of the deployer's own is served with the usual settings.
    const versions = model.reportsVersions || model.hasFields ? '1, 2' : null;
    same('the versions', answer.headers.get('x-api-supported-versions'), versions);
    const users = filtered(model, query);
    const isEmbedded = query.has('embed');
    const expectOne = (what: string, one: unknown, user: User): void => {
      expectUser(what, one, user);
      if (isEmbedded) expectOrders(model, caller, what, one, user);
    };
    if (cursor === null) expectCollection(call, answer, users, expectOne);
    else
      expectByCursor(
        answer,
        query,
        users.filter(({ id }) => cursor === '' || isAfter(id, cursor)),
        expectOne,
      );
    const { data } = answer.body as { readonly data?: unknown };
    if (!isEmbedded) expectAllSeen(model, '/api/users', data ?? answer.body);
  },
};

function expectByCursor(
  { body }: Answer,
  query: URLSearchParams,
  later: readonly User[],
  expectOne: Parameters<typeof expectEach<User>>[2],
): void {
  const { data, pagination } = body as { readonly data: unknown; readonly pagination: unknown };
  const { limit } = pagingOf(query, 10);
  expectEach(data, later.slice(0, limit), expectOne);
  const hasNext = later.length > limit;
  const nextCursor = hasNext ? (later[limit - 1]?.id ?? '') : null;
  same('pagination', pagination, { nextCursor, hasNext, limit });
}

/** Texts of an `Accept` header with the version that each asks for. */
const accepted: Readonly<Record<string, string | undefined>> = {
  'application/vnd.acme.v2+json': '2',
  'application/vnd.any.other.v1+json': '1',
  'application/vnd.acme.v1+json;q=0.5, application/vnd.acme.v2+json': '2',
  'application/vnd.acme.v1+json, application/vnd.acme.v2+json;q=0.5': '1',
  'application/vnd.acme.v1+json;q=0, application/vnd.acme.v2+json;q=0.1': '2',
  'text/html, application/vnd.acme.v2+json;q=0.9': '2',
  'application/vnd.ACME.v1+json; charset=utf-8, */*;q=0.1': '1',
  'application/vnd.acme.v3+json': '3',
  'application/vnd.acme.v20+json': '20',
  'application/vnd.acme.v0+json, application/json': '0',
  'application/vnd.acme+json': undefined,
  'application/json': undefined,
};

/** The version that a request asks for: the first of the places that name one decides. */
function versionOf({ path, headers }: Call): string | undefined {
  const inPath = /^\/api\/v([12])/.exec(path)?.[1];
  const named = queryOf(path).get('version') || headers?.['x-api-version'];
  return inPath ?? (named || accepted[headers?.['accept'] ?? '']);
}

const listVersions: Action = {
  name: 'the versions of listUsers',
  weight: 4,
  draw(random, model) {
    const sender = drawSender(random, model);
    const query = { ...drawFilters(random, model), ...drawPaging(random, model.users.size) };
    if (random.chance(0.4))
      return { method: 'GET', path: pathOf(random.pick(['/api/v1/users', '/api/v2/users']), query), sender };
    const version = random.pick([undefined, undefined, undefined, '1', '2', '', '3', 'v2', '2.0']);
    const header = random.pick([undefined, undefined, undefined, '1', '2', '', '4', 'latest', '1, 2']);
    const accept = random.chance(0.5) ? random.pick(Object.keys(accepted)) : undefined;
    const headers = {
      ...(header !== undefined && { 'x-api-version': header }),
      ...(accept !== undefined && { accept }),
    };
    const path = pathOf('/api/users', { ...query, ...(version !== undefined && { version }) });
    return { method: 'GET', path, sender, headers };
  },
  judge(model, call, answer) {
    const version = versionOf(call);
    const refusals = new Refusals()
      .when(isRefused(model, callerOf(model, call.sender, true)), 401)
      .when(version !== undefined && version !== '1' && version !== '2', 400);
    const isAnswered = refusals.judge(answer, 200);
    if (answer.status === 400 && !answer.text.includes('1, 2'))
      throw new Fault(`${answer.text} does not name the supported versions`);
    if (!isAnswered) return;
    const query = queryOf(call.path);
    const users = filtered(model, query);
    const paging = pagingOf(query, query.has('page') || query.has('limit') ? 10 : 100);
    const page = sliceOf(users, paging);
    if (version === '1') expectVersion1(call, answer, page, users.length, paging);
    else if (version === '2') expectVersion2(model, answer, page, users.length);
    else expectCollection(call, answer, users, expectUser);
  },
};

/** A bare array, whose headers say until when there is this version (RFC 9745, RFC 8594). */
function expectVersion1(
  call: Call,
  answer: Answer,
  page: readonly User[],
  total: number,
  paging: ReturnType<typeof pagingOf>,
): void {
  const records = page.map(({ id, name, email, phone }) => ({ id, name, email, ...(phone && { phone }) }));
  same('version 1', answer.body, records);
  const expected = {
    'x-api-deprecated': 'true',
    'x-api-deprecation-date': '2026-01-01',
    'x-api-sunset-date': '2027-12-31',
    deprecation: `@${String(Date.UTC(2026, 0, 1) / 1000)}`,
    sunset: 'Fri, 31 Dec 2027 00:00:00 GMT',
  };
  for (const [name, value] of Object.entries(expected)) same(name, answer.headers.get(name), value);
  expectPageHeaders(call, answer, total, paging, ['</api/v2/users>; rel="successor-version"']);
}

function expectVersion2(model: Model, answer: Answer, page: readonly User[], total: number): void {
  const { version, data, metadata } = answer.body as {
    readonly version: unknown;
    readonly data: readonly object[];
    readonly metadata: { readonly total: unknown };
  };
  same('version', version, 2);
  same('total', metadata.total, total);
  expectEach(data, page, (what, one, { id, name, email }) => {
    const { profile, ...record } = one as { readonly profile: unknown };
    same(what, record, { id, fullName: name, emailAddress: email });
    const seen = model.seen.get(`/api/users/${id}`);
    if (seen?.isCurrent !== true) return;
    const { createdAt, updatedAt } = seen.body as {
      readonly createdAt: unknown;
      readonly updatedAt: unknown;
    };
    same(`${what}/profile`, profile, { createdAt, updatedAt });
  });
}

export const userListActions: readonly Action[] = [listUsers, listVersions];
