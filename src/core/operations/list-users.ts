/** The user collection in all its forms: paging schemes, versions and how a request asks for one, with and without envelope. */
import type { CallContext, RequestHeaders } from '@concordat/runtime';
import { deprecationHeaders } from '@concordat/runtime/bridge';
import type { ListUsersV1Request, ListUsersV2Request } from '../../../generated/operations.js';
import { ServiceError } from '../model/error.js';
import { allRead } from '../model/fields.js';
import type { OffsetPage } from '../model/page.js';
import { readFields } from '../model/stored.js';
import type { User } from '../model/user.js';
import type { Caller } from '../services/rights/caller.js';
import type { Services } from '../services/services.js';
import { type SomeOperations, joinLinks, pageHeaders } from './answers.js';
import { type UserPresenter, userV1, userV2 } from './users.js';
import { operations } from '../../../generated/routing.js';
import { reads } from './own-fields.js';

export interface ListUsersOptions {
  /** Whether answers of the user collection list the supported versions; true unless given. */
  readonly reportVersions?: boolean | undefined;
}

/** Makes the operations that list users. */
export function listUsersOperations(
  { users, ownFields }: Services,
  present: UserPresenter,
  { reportVersions = true }: ListUsersOptions,
) {
  const versions = reportVersions ? { 'X-API-Supported-Versions': supportedVersions.join(', ') } : {};

  return {
    async listUsers({ query, headers: { 'X-API-Version': asked, ...headers }, ...others }, context) {
      const {
        role,
        status,
        city,
        email,
        page,
        limit,
        cursor,
        envelope,
        embed,
        version: named,
        ...rest
      } = query;
      allRead(rest, headers, others);
      const filter = { role, status, city, email, stored: readFields(ownFields, reads.listUsers, query) };
      const version = requestedVersion(named, asked, context.request.headers);
      if (cursor !== undefined) {
        // A request may use only one paging scheme.
        const other = page !== undefined ? 'page' : !envelope ? 'envelope=false' : version && 'a version';
        if (other) throw new ServiceError('invalid-input', `query/cursor cannot be combined with ${other}`);
      }
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
  email,
  page,
  limit,
  ...others
}: (ListUsersV1Request & ListUsersV2Request)['query']) {
  allRead(others);
  return { filter: { role, status, city, email }, asked: { page, limit } };
}

/** A bare array has its paging in the headers, together with the link to the successor of a deprecated version. */
function asVersion1({ data, pagination }: OffsetPage<User>, { request }: CallContext<Caller>) {
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

type Version = '1' | '2';

const supportedVersions = ['1', '2'] as const satisfies readonly Version[];

/**
 * The version that a request asks for. The first place that names one decides, and the others are not read: the query, the header
 * `X-API-Version`, and the header Accept with a vendor media type, such as `application/vnd.acme.v2+json`.
 *
 * @returns undefined when it asks for none
 * @throws ServiceError `invalid-input` for an unknown version
 */
function requestedVersion(
  query: string | undefined,
  header: string | undefined,
  { accept }: RequestHeaders,
): Version | undefined {
  if (query) return known(query, 'query/version must be');
  if (header) return known(header, 'headers/X-API-Version must be');
  if (!/vnd\./i.test(String(accept))) return undefined;
  // Of several versions, the one that the client prefers.
  const [accepted] = String(accept)
    .split(',')
    .flatMap(vendorVersion)
    .toSorted((a, b) => b.quality - a.quality);
  return accepted && known(accepted.version, 'headers/Accept must ask for a version that is');
}

/** @param rule - the start of a sentence that names the place and the rule */
function known(given: string, rule: string): Version {
  const version = supportedVersions.find((each) => each === given);
  if (version !== undefined) return version;
  const message = `${rule} equal to one of the allowed values: ${supportedVersions.join(', ')}`;
  throw new ServiceError('invalid-input', message);
}

/** The version in one entry of an Accept header; empty when it names no version, or refuses it with a quality of 0. */
function vendorVersion(entry: string): readonly { readonly version: string; readonly quality: number }[] {
  const version = /^\s*application\/vnd\.[^\s;]*?\bv(\d+)\+json\s*(?:;|$)/i.exec(entry)?.[1];
  const quality = Number(/;\s*q\s*=\s*([\d.]+)/i.exec(entry)?.[1] ?? 1);
  return version === undefined || quality === 0 ? [] : [{ version, quality }];
}

const deprecation = operations.listUsersV1.extensions['x-deprecation'];

/** The headers of version 1, with those of RFC 9745 and RFC 8594. The dates come from the contract. */
const version1Headers = {
  'X-API-Deprecated': 'true',
  'X-API-Deprecation-Date': deprecation.date,
  'X-API-Sunset-Date': deprecation.sunset,
  ...deprecationHeaders(deprecation),
} as const;
