/** The version of the user collection that a request asks for, and the headers of a deprecated version. */

import { operations } from '../../../generated/routing.js';
import type { RequestHeaders } from 'concordat';
import { ServiceError } from '../model/error.js';

export type Version = '1' | '2';

export const supportedVersions = ['1', '2'] as const satisfies readonly Version[];

/**
 * The version that the Accept header asks for with a vendor media type, such as `application/vnd.acme.v2+json`; of several,
 * the one that the client prefers.
 *
 * @returns undefined when it asks for none
 * @throws ServiceError `invalid-input` for an unknown version
 */
export function versionOfAccept({ accept }: RequestHeaders): Version | undefined {
  const text = String(accept ?? '');
  if (!/vnd\./i.test(text)) return undefined;
  const [asked] = text
    .split(',')
    .flatMap(vendorVersion)
    .toSorted((a, b) => b.quality - a.quality);
  if (asked === undefined) return undefined;
  const version = supportedVersions.find((each) => each === asked.version);
  if (version === undefined) {
    const known = supportedVersions.join(', ');
    throw new ServiceError(
      'invalid-input',
      `headers/Accept asks for version ${asked.version}; the supported ones are ${known}`,
    );
  }
  return version;
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
