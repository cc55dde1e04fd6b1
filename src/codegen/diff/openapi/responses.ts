/** Makes responses of one version that the other version describes too, except for the part that a change concerns. */

import type { Json } from 'concordat';
import { exampleValue } from 'concordat/values';
import { partsOf } from '../../schemas/document-parts.js';
import type { MediaTypeModel, ResponseModel } from '../../read/model.js';
import type { VersionName } from '../change/change.js';
import { type Pair, type Probe, labelOf, otherVersion } from './draft.js';
import type { Surroundings } from '../schemas/site.js';

export interface ResponsePair {
  readonly pair: Pair;
  readonly old: ResponseModel;
  readonly new: ResponseModel;
}

export interface Demanded {
  readonly media?: MediaTypeModel;
  readonly body?: Json;
  /** By name in lower case; a header that is undefined is not sent. */
  readonly headers?: Readonly<Record<string, Json | undefined>>;
}

/** A response of one version; empty if a value cannot be made. */
export function responsesOf(
  pair: Pair,
  from: VersionName,
  around: Surroundings,
  responses: Partial<Record<VersionName, ResponseModel>>,
  { media: wanted, body, headers: demanded = {} }: Demanded = {},
): readonly Probe[] {
  const own = responses[from];
  if (own === undefined) return [];
  const { versions } = pair;
  const operation = { old: pair.old.id, new: pair.new.id, label: labelOf(pair.old) };
  const other = around.fit === 'both' ? responses[otherVersion(from)] : undefined;
  const beside = versions[otherVersion(from)].document;
  const { document } = versions[from];
  const headers: Record<string, Json> = {};
  for (const header of own.headers) {
    const name = header.name.toLowerCase();
    const match = other?.headers.find((each) => each.name.toLowerCase() === name);
    if (Object.hasOwn(demanded, name) || !(header.required || match?.required === true || around.full))
      continue;
    const value = exampleValue(
      [...partsOf(header, document), ...(match ? partsOf(match, beside) : [])],
      around,
    );
    if (value !== undefined) headers[name] = value;
  }
  for (const [name, value] of Object.entries(demanded)) if (value !== undefined) headers[name] = value;
  const sample: Readonly<Record<string, number>> = { default: 500 };
  const status = sample[own.status] ?? Number(own.status.replace('XX', '99'));
  const match = (each: MediaTypeModel): MediaTypeModel | undefined =>
    other?.content.find(({ mediaType }) => mediaType === each.mediaType);
  const media = wanted ?? own.content.find(match) ?? own.content[0];
  if (media === undefined) return [{ operation, response: { status, headers } }];
  const counterpart = match(media);
  const parts = [
    ...partsOf(media, document),
    ...(counterpart === undefined ? [] : partsOf(counterpart, beside)),
  ];
  const value = body === undefined ? exampleValue(parts, around) : body;
  const contentType = media.mediaType.replace(/\*$/, 'x-any').replace(/^\*/, 'application');
  return value === undefined ? [] : [{ operation, response: { status, headers, contentType, body: value } }];
}
