/** Finds the changes in the responses of an operation: statuses, headers, media types and bodies. */

import { type Json, findByStatus } from '@concordat/runtime';
import {
  type MediaTypeModel,
  type ResponseModel,
  byStatus,
  joinPointer,
  responsePlace,
} from 'concordat/contract';
import type { Side, VersionName } from '../change/change.js';
import { callOf } from './compare-requests.js';
import {
  type Draft,
  type Pair,
  type Probe,
  type Suspicion,
  SUSPECT,
  labelOf,
  otherVersion,
  requesterOf,
  dangerous,
} from './judge.js';
import { requestOf, type ResponsePair, responsesOf, surroundings } from './example-messages.js';
import { describedDrafts } from './schema-drafts.js';
import type { Surroundings } from '../schemas/site.js';

type HeaderModel = ResponseModel['headers'][number];

export function* compareResponses(pair: Pair): Generator<Draft> {
  const compared = new Set<ResponseModel>();
  for (const response of pair.old.responses) {
    const other = findByStatus(byStatus(pair.new.responses), response.status);
    if (other === undefined) yield loneStatus(pair, response, 'removed');
    else {
      compared.add(other);
      yield* compareResponse({ pair, old: response, new: other });
    }
  }
  for (const response of pair.new.responses) {
    if (compared.has(response)) continue;
    const other = findByStatus(byStatus(pair.old.responses), response.status);
    if (other === undefined) yield loneStatus(pair, response, 'added');
    else yield* compareResponse({ pair, old: other, new: response });
  }
}

const OF_CLASS: Suspicion = {
  ...dangerous(
    'a client treats an error status that it does not know as the x00 of its class (RFC 9110 §15)',
  ),
  atMost: 'dangerous',
};

/** A status that only one version has, so that the side that reads it does not know it. */
function loneStatus(pair: Pair, response: ResponseModel, kind: 'removed' | 'added'): Draft {
  const from: VersionName = kind === 'removed' ? 'old' : 'new';
  const place = joinPointer(pair[from].pointer, 'responses', response.key);
  const described = responsePlace(pair[from], response);
  const isError = /^[45]|^default/.test(response.status);
  return {
    kind: `status-${kind}`,
    message: `the status ${response.status} is ${kind}`,
    key: `status-${kind} ${response.status} ${described}`,
    operation: labelOf(pair.old),
    ...(from === 'old' && { part: `${labelOf(pair.old)} ${response.status}` }),
    old: from === 'old' ? place : pair.old.pointer,
    new: from === 'new' ? place : pair.new.pointer,
    [kind === 'removed' ? 'server' : 'client']: isError ? OF_CLASS : SUSPECT,
    *probes() {
      for (const around of surroundings(from, 'response'))
        yield* responsesOf(pair, from, around, { [from]: response });
    },
  };
}

function* compareResponse(responses: ResponsePair): Generator<Draft> {
  yield* compareHeaders(responses);
  yield* compareContent(responses);
}

const UNREAD: Suspicion = { ...dangerous('a body that is not described is ignored'), atMost: 'dangerous' };

function* compareContent({ pair, old, new: next }: ResponsePair): Generator<Draft> {
  const places = (media: MediaTypeModel, version: VersionName): Pick<Draft, 'old' | 'new'> => {
    const own = media.at;
    const response = version === 'old' ? next : old;
    const other = responsePlace(pair[otherVersion(version)], response);
    return version === 'old' ? { old: own, new: other } : { old: other, new: own };
  };
  const isShared = old.content.some((media) =>
    next.content.some(({ mediaType }) => mediaType === media.mediaType),
  );
  /** One side asks for a media type that the other does not have, or answers in one that the other cannot read. */
  const lone = (media: MediaTypeModel, from: VersionName): Draft => {
    const kind = `response-media-type-${from === 'old' ? 'removed' : 'added'}` as const;
    const place = places(media, from);
    const [asking, answering]: readonly [Side, Side] =
      from === 'old' ? ['client', 'server'] : ['server', 'client'];
    const isRead = (from === 'old' ? next : old).content.length > 0;
    return {
      kind,
      message: `the body of ${old.status} as ${media.mediaType} is ${from === 'old' ? 'removed' : 'added'}`,
      key: `${kind} ${String(place.old)} ${String(place.new)} ${media.mediaType}`,
      operation: labelOf(pair.old),
      part: `${labelOf(pair.old)} ${old.status}${from === 'old' ? ` ${media.mediaType}` : ''}`,
      ...place,
      [asking]: SUSPECT,
      // If the versions share a media type, a client is not sent one that it does not accept.
      ...(!isShared && { [answering]: isRead ? SUSPECT : UNREAD }),
      *probes(side) {
        for (const around of surroundings(from, 'response')) {
          if (side === answering) {
            yield* responsesOf(pair, from, around, { [from]: from === 'old' ? old : next }, { media });
          } else yield* asked(pair, from, around, media, [old, next]);
        }
      },
    };
  };
  for (const media of old.content) {
    const other = next.content.find(({ mediaType }) => mediaType === media.mediaType);
    if (other === undefined) {
      yield lone(media, 'old');
      continue;
    }
    const part = `${old.status} ${media.mediaType}`;
    yield* describedDrafts(pair, 'response', 'body', part, [media, other], (body, around, from) =>
      responsesOf(pair, from, around, { old, new: next }, { media: from === 'old' ? media : other, body }),
    );
  }
  for (const media of next.content)
    if (!old.content.some(({ mediaType }) => mediaType === media.mediaType)) yield lone(media, 'new');
}

/** Requests that accept only one media type, and the responses of the version that does not have it. */
function* asked(
  pair: Pair,
  from: VersionName,
  around: Surroundings,
  { mediaType }: MediaTypeModel,
  [old, next]: readonly [ResponseModel, ResponseModel],
): Generator<Probe> {
  const request = requestOf(callOf(pair, from), { ...around, direction: 'request' }, {});
  if (request !== undefined) yield { request: { ...request, accept: mediaType } };
  // The other version answers in another media type, or without a body.
  const other = otherVersion(from);
  yield* responsesOf(pair, other, around, { [other]: other === 'old' ? old : next });
}

function* compareHeaders({ pair, old, new: next }: ResponsePair): Generator<Draft> {
  const find = (response: ResponseModel, { name }: HeaderModel): HeaderModel | undefined =>
    response.headers.find((each) => each.name.toLowerCase() === name.toLowerCase());
  const withHeader = (
    { name }: HeaderModel,
    value: Json | undefined,
    around: Surroundings,
    from: VersionName,
  ) => responsesOf(pair, from, around, { old, new: next }, { headers: { [name.toLowerCase()]: value } });
  const change = (
    header: HeaderModel,
    kind: 'added' | 'removed' | 'became-required' | 'became-optional',
    suspicions: Partial<Draft>,
  ): Draft => {
    const place = (response: ResponseModel, version: VersionName): string =>
      find(response, header)?.at ?? responsePlace(pair[version], response);
    const places = { old: place(old, 'old'), new: place(next, 'new') };
    return {
      kind: `response-header-${kind}`,
      message: `the header ${header.name} of ${old.status} is ${kind.replace('became-optional', 'no longer required').replace('became-', '')}`,
      key: `response-header-${kind} ${places.old} ${places.new}`,
      operation: labelOf(pair.old),
      part: `${labelOf(pair.old)} ${old.status}`,
      ...places,
      ...suspicions,
      *probes(side) {
        const from = otherVersion(requesterOf(side));
        for (const around of surroundings(from, 'response'))
          yield* withHeader(header, undefined, around, from);
      },
    };
  };
  for (const header of old.headers) {
    const other = find(next, header);
    if (other === undefined) {
      yield change(header, 'removed', { client: dangerous('the header may be missing') });
      continue;
    }
    if (header.required && !other.required) yield change(header, 'became-optional', { client: SUSPECT });
    if (!header.required && other.required) yield change(header, 'became-required', { server: SUSPECT });
    const name = `header ${header.name}`;
    yield* describedDrafts(pair, 'response', name, old.status, [header, other], (value, around, from) =>
      withHeader(header, value, around, from),
    );
  }
  for (const header of next.headers) {
    if (find(old, header) === undefined)
      yield change(header, 'added', header.required ? { server: SUSPECT } : {});
  }
}
