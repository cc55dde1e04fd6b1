/** The version of the user collection that a request asks for, and the headers of a deprecated version. */

import { operations } from '../../../generated/routing.js';
import type { RequestHeaders } from '@concordat/runtime';
import { ServiceError } from '../model/error.js';

export type Version = '1' | '2';

export const supportedVersions = ['1', '2'] as const satisfies readonly Version[];

/**
 * The version that a request asks for. The first place that names one decides, and the others are not read: the query, the header
 * `X-API-Version`, and the header Accept with a vendor media type, such as `application/vnd.acme.v2+json`.
 *
 * @returns undefined when it asks for none
 * @throws ServiceError `invalid-input` for an unknown version
 */
export function requestedVersion(
  query: string | undefined,
  header: string | undefined,
  { accept }: RequestHeaders,
): Version | undefined {
  if (query) return known(query, 'query/version must be');
  if (header) return known(header, 'headers/X-API-Version must be');
  const accepted = versionOfAccept(String(accept ?? ''));
  return accepted === undefined
    ? undefined
    : known(accepted, 'headers/Accept must ask for a version that is');
}

/** @param rule - the start of a sentence that names the place and the rule */
function known(given: string, rule: string): Version {
  const version = supportedVersions.find((each) => each === given);
  if (version !== undefined) return version;
  const message = `${rule} equal to one of the allowed values: ${supportedVersions.join(', ')}`;
  throw new ServiceError('invalid-input', message);
}

/** Of several versions, the one that the client prefers. */
function versionOfAccept(accept: string): string | undefined {
  if (!/vnd\./i.test(accept)) return undefined;
  const [asked] = accept
    .split(',')
    .flatMap(vendorVersion)
    .toSorted((a, b) => b.quality - a.quality);
  return asked?.version;
}

/** The version in one entry of an Accept header; empty when it names no version, or refuses it with a quality of 0. */
function vendorVersion(entry: string): readonly { readonly version: string; readonly quality: number }[] {
  const version = /^\s*application\/vnd\.[^\s;]*?\bv(\d+)\+json\s*(?:;|$)/i.exec(entry)?.[1];
  const quality = Number(/;\s*q\s*=\s*([\d.]+)/i.exec(entry)?.[1] ?? 1);
  return version === undefined || quality === 0 ? [] : [{ version, quality }];
}

const { date, sunset, successor } = operations.listUsersV1.extensions['x-deprecation'];

/** The headers of version 1, with those of RFC 9745 and RFC 8594. The dates come from the contract. */
export const version1Headers = {
  'X-API-Deprecated': 'true',
  'X-API-Deprecation-Date': date,
  'X-API-Sunset-Date': sunset,
  // A structured field date: seconds since the epoch (RFC 9745 §2.1).
  Deprecation: `@${String(Date.parse(`${date}T00:00:00Z`) / 1000)}`,
  Sunset: new Date(`${sunset}T00:00:00Z`).toUTCString(),
  Link: `<${successor}>; rel="successor-version"`,
} as const;
