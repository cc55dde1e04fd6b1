/** The user collection in all its forms: paging schemes, versions, with and without envelope. */
import type { CallContext } from '@concordat/runtime';
import type {
  ListUsersRequest,
  ListUsersV1Request,
  ListUsersV2Request,
} from '../../../generated/operations.js';
import { ServiceError } from '../model/error.js';
import { allRead } from '../model/fields.js';
import type { OffsetPage } from '../model/page.js';
import type { User } from '../model/user.js';
import type { Caller } from '../services/rights/caller.js';
import type { Services } from '../services/services.js';
import { type SomeOperations, joinLinks, pageHeaders } from './answers.js';
import { type UserPresenter, userV1, userV2 } from './users.js';
import { requestedVersion, supportedVersions, version1Headers } from './versions.js';

type Context = CallContext<Caller>;
type Query = ListUsersRequest['query'];

export interface ListUsersOptions {
  /** Whether answers of the user collection list the supported versions; true unless given. */
  readonly reportVersions?: boolean | undefined;
}

/** Makes the operations that list users. */
export function listUsersOperations(
  { users }: Services,
  present: UserPresenter,
  { reportVersions = true }: ListUsersOptions,
) {
  const versions = reportVersions ? { 'X-API-Supported-Versions': supportedVersions.join(', ') } : {};

  return {
    async listUsers({ query, headers: { 'X-API-Version': asked, ...headers }, ...others }, context) {
      const { role, status, city, page, limit, cursor, envelope, embed, version: named, ...rest } = query;
      allRead(rest, headers, others);
      const filter = { role, status, city };
      const version = requestedVersion(named, asked, context.request.headers);
      refuseMixedForms(query, version !== undefined);
      if (version === '1') {
        const answer = asVersion1(await users.list(context.caller, filter, { page, limit }), context);
        return { ...answer, schema: 'UserV1List', headers: { ...answer.headers, ...versions } };
      }
      if (version === '2') {
        const body = asVersion2(await users.list(context.caller, filter, { page, limit }));
        return { status: 200, schema: 'UserV2Collection', headers: versions, body };
      }
      if (cursor !== undefined) {
        const { data, pagination } = await users.listByCursor(context.caller, filter, { cursor, limit });
        const body = { data: await present(data, embed, context.caller), pagination };
        return { status: 200, schema: 'UserCursorPage', headers: versions, body };
      }
      const { data: found, pagination } = await users.list(context.caller, filter, { page, limit });
      const data = await present(found, embed, context.caller);
      if (!envelope) {
        const paging = { ...pageHeaders(pagination, context.request), ...versions };
        return { status: 200, schema: 'UserList', headers: paging, body: data };
      }
      if (page === undefined && limit === undefined) {
        const body = { data, total: pagination.total };
        return { status: 200, schema: 'UserCollection', headers: versions, body };
      }
      return { status: 200, schema: 'UserOffsetPage', headers: versions, body: { data, pagination } };
    },

    async listUsersV1({ query, ...others }, context) {
      allRead(others);
      const { filter, asked } = versionedQuery(query);
      const answer = asVersion1(await users.list(context.caller, filter, asked), context);
      return { ...answer, headers: { ...answer.headers, ...versions } };
    },

    async listUsersV2({ query, ...others }, context) {
      allRead(others);
      const { filter, asked } = versionedQuery(query);
      const body = asVersion2(await users.list(context.caller, filter, asked));
      return { status: 200, headers: versions, body };
    },
  } satisfies SomeOperations;
}

/** @param query has the parameters of both operations, so that a new parameter of either must be read here */
function versionedQuery({
  role,
  status,
  city,
  page,
  limit,
  ...others
}: (ListUsersV1Request & ListUsersV2Request)['query']) {
  allRead(others);
  return { filter: { role, status, city }, asked: { page, limit } };
}

/** A request may use only one paging scheme. */
function refuseMixedForms({ cursor, page, envelope }: Query, isVersioned: boolean): void {
  if (cursor === undefined) return;
  const other =
    page !== undefined ? 'page' : !envelope ? 'envelope=false' : isVersioned ? 'a version' : undefined;
  if (other !== undefined) {
    throw new ServiceError('invalid-input', `query/cursor cannot be combined with ${other}`);
  }
}

/** A bare array has its paging in the headers, together with the link to the successor of a deprecated version. */
function asVersion1({ data, pagination }: OffsetPage<User>, { request }: Context) {
  const paging = pageHeaders(pagination, request);
  return {
    status: 200,
    headers: { ...paging, ...version1Headers, Link: joinLinks(paging.Link, version1Headers.Link) },
    body: data.map(userV1),
  } as const;
}

function asVersion2({ data, pagination }: OffsetPage<User>) {
  return {
    version: 2 as const,
    data: data.map(userV2),
    metadata: { total: pagination.total, timestamp: new Date().toISOString() },
  };
}
