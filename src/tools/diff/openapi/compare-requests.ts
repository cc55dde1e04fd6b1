/** Finds the changes in the requests of an operation: parameters and bodies. */

import type { Json } from '@concordat/runtime';
import { PLACES } from '@concordat/runtime/parts';
import { type MediaTypeModel, type ParameterModel, joinPointer } from 'concordat/contract';
import { exampleValue } from '../../values/example-value.js';
import { partsOf } from '../../values/document-parts.js';
import type { ChangeKind, Side, VersionName } from '../change/change.js';
import {
  type Draft,
  type Pair,
  type Probe,
  SUSPECT,
  type Suspicion,
  labelOf,
  parameterId,
  requesterOf,
  dangerous,
} from './judge.js';
import { type Call, type Demands, requestOf, requestsOf, surroundings } from './example-messages.js';
import type { Surroundings } from '../schemas/site.js';
import { describedDrafts } from './schema-drafts.js';

export function* compareRequests(pair: Pair): Generator<Draft> {
  const before = new Map(pair.old.parameters.map((each) => [parameterId(each), each]));
  const after = new Map(pair.new.parameters.map((each) => [parameterId(each), each]));
  for (const [key, parameter] of before) {
    const other = after.get(key);
    if (other !== undefined) yield* compareParameter(pair, parameter, other);
    else if (parameter.in !== 'path') yield loneParameter(pair, parameter, 'removed');
  }
  for (const [key, parameter] of after)
    if (!before.has(key) && parameter.in !== 'path') yield loneParameter(pair, parameter, 'added');
  yield* compareBodies(pair);
}

/** The call of a client of one version to a server of the other. */
export function callOf({ old, new: next }: Pair, from: VersionName): Call {
  return from === 'old' ? { from, sender: old, receiver: next } : { from, sender: next, receiver: old };
}

/** The requests that one side may send. */
export function* probesWith(
  pair: Pair,
  side: Side,
  demands: Demands,
  steps: readonly string[] = [],
): Generator<Probe> {
  for (const request of requestsOf(callOf(pair, requesterOf(side)), demands)) yield { request, steps };
}

/** The way to a parameter, or to a body. The versions may name a parameter of the path differently. */
function stepsTo(part: ParameterModel | MediaTypeModel): readonly string[] {
  if ('mediaType' in part) return ['body'];
  return part.in === 'path' ? ['path'] : [PLACES[part.in], part.name];
}

/**
 * A service ignores the parts of a request that it does not read. A client that receives requests does so too, but it may miss a
 * part that is no longer sent.
 */
function unread(
  { isSent }: Pair,
  kind: 'removed' | 'added',
  what: string,
): Readonly<Partial<Record<Side, Suspicion>>> {
  if (isSent) return kind === 'removed' ? { server: dangerous(`the ${what} may be missing`) } : {};
  return { [kind === 'removed' ? 'client' : 'server']: dangerous(`the ${what} is ignored`) };
}

const REPLACED = dangerous('a value that does not fit is replaced');

/** A parameter that only one version has. One side sends it although it is not read; the other may fail to send it. */
function loneParameter(pair: Pair, parameter: ParameterModel, kind: 'removed' | 'added'): Draft {
  const [sender, other]: readonly [Side, Side] =
    kind === 'removed' ? ['client', 'server'] : ['server', 'client'];
  const place = parameter.at;
  const key = parameterId(parameter);
  return {
    kind: `parameter-${kind}`,
    message: `the ${parameter.required ? 'required ' : ''}parameter ${parameter.name} in ${parameter.in} is ${kind}`,
    key: `parameter-${kind} ${place}`,
    operation: labelOf(pair.old),
    ...(kind === 'removed' && { part: parameterPart(pair, parameter) }),
    old: kind === 'removed' ? place : pair.old.pointer,
    new: kind === 'added' ? place : pair.new.pointer,
    ...unread(pair, kind, 'parameter'),
    ...(parameter.required && { [other]: SUSPECT }),
    probes: (side) =>
      side === sender
        ? requestsWith(pair, side, parameter)
        : probesWith(pair, side, { withoutParameter: key }, stepsTo(parameter)),
  };
}

/** The name of a parameter among the parts of the old version. */
function parameterPart({ old }: Pair, { in: location, name }: ParameterModel): string {
  return `${labelOf(old)} ${location} ${name}`;
}

/** Requests that have an optional parameter, or a body of one media type. */
function* requestsWith(pair: Pair, side: Side, part: ParameterModel | MediaTypeModel): Generator<Probe> {
  const call = callOf(pair, requesterOf(side));
  for (const around of surroundings(call.from, 'request')) {
    const value = exampleValue(partsOf(part), around);
    if (value !== undefined) yield* requestWith(call, around, part, value);
  }
}

/** The request of a call that has a value as a parameter or as its body. */
function* requestWith(
  call: Call,
  around: Surroundings,
  part: ParameterModel | MediaTypeModel,
  value: Json,
): Generator<Probe> {
  const demands =
    'mediaType' in part ? { body: { media: part, value } } : { parameter: { parameter: part, value } };
  const request = requestOf(call, around, demands);
  if (request !== undefined) yield { request, steps: stepsTo(part) };
}

function* compareParameter(pair: Pair, old: ParameterModel, next: ParameterModel): Generator<Draft> {
  const key = parameterId(old);
  const what = `the parameter ${old.name} in ${old.in}`;
  const places = { operation: labelOf(pair.old), old: old.at, new: next.at };
  const keyed = (kind: ChangeKind) => ({
    kind,
    key: `${kind} ${places.old} ${places.new}`,
    ...places,
    ...(kind !== 'parameter-became-required' && { part: parameterPart(pair, old) }),
  });
  if (old.required !== next.required) {
    const owing: Side = next.required ? 'client' : 'server';
    yield {
      ...keyed(`parameter-became-${next.required ? 'required' : 'optional'}`),
      message: `${what} is ${next.required ? '' : 'no longer '}required`,
      [owing]: SUSPECT,
      probes: (side) => probesWith(pair, side, { withoutParameter: key }, stepsTo(old)),
    };
  }
  if (old.style !== next.style || old.explode !== next.explode) {
    // The other version may take the text of a list or an object, and read other values from it.
    const suspicion: Suspicion = [old, next].some(hasParts) ? { otherwise: 'unproven' } : SUSPECT;
    yield {
      ...keyed('parameter-style-changed'),
      message: `${what} is written in another style`,
      client: suspicion,
      server: suspicion,
      probes: (side) => requestsWith(pair, side, side === 'client' ? old : next),
    };
  }
  if (JSON.stringify(old.lenient) !== JSON.stringify(next.lenient)) {
    const both = old.lenient !== undefined && next.lenient !== undefined;
    yield {
      ...keyed('parameter-leniency-changed'),
      message: `${what} has a different x-lenient`,
      ...(old.lenient !== undefined && { client: both ? REPLACED : SUSPECT }),
      ...(next.lenient !== undefined && { server: both ? REPLACED : SUSPECT }),
      probes: (side) =>
        ['text', -1, 0, 1e9].flatMap((value) => {
          const parameter = side === 'client' ? old : next;
          return [...probesWith(pair, side, { parameter: { parameter, value } })];
        }),
    };
  }
  const isLenient = old.lenient !== undefined && next.lenient !== undefined;
  const probes = probesAs(pair, [old, next]);
  const name = `${old.in} ${old.name}`;
  const neverRefused = isLenient ? REPLACED : undefined;
  yield* describedDrafts(pair, 'request', name, name, [old, next], probes, neverRefused);
}

/** Whether a value may be a list or an object, whose text depends on the style. */
function hasParts({ coercion }: ParameterModel): boolean {
  return !('type' in coercion) || ['array', 'object'].includes(String(coercion.type));
}

/** Requests with a value of the parameter or body, as the sender's version describes it. */
function probesAs(
  pair: Pair,
  [old, next]: readonly [ParameterModel, ParameterModel] | readonly [MediaTypeModel, MediaTypeModel],
) {
  return (value: Json, around: Surroundings, from: VersionName): Iterable<Probe> =>
    requestWith(callOf(pair, from), around, from === 'old' ? old : next, value);
}

function* compareBodies(pair: Pair): Generator<Draft> {
  const [before, after] = [pair.old.requestBody, pair.new.requestBody];
  const at = (version: VersionName): string => joinPointer(pair[version].pointer, 'requestBody');
  const places = {
    operation: labelOf(pair.old),
    old: before === undefined ? pair.old.pointer : at('old'),
    new: after === undefined ? pair.new.pointer : at('new'),
  };
  const keyed = (kind: ChangeKind, detail = '') => ({
    kind,
    key: `${kind} ${places.old} ${places.new} ${detail}`,
    ...places,
  });
  if (before?.required !== after?.required) {
    const isRequired = after?.required === true;
    const became = isRequired ? 'became-required' : 'became-optional';
    const kind = before === undefined ? 'added' : after === undefined ? 'removed' : became;
    const owes: Side | undefined = isRequired ? 'client' : before?.required === true ? 'server' : undefined;
    yield {
      ...keyed(`request-body-${kind}`),
      message: `the request body is ${kind.replace('became-required', 'required').replace('became-', 'no longer required: it is ')}`,
      ...(before === undefined && unread(pair, 'added', 'body')),
      ...(after === undefined && unread(pair, 'removed', 'body')),
      ...(owes !== undefined && { [owes]: SUSPECT }),
      probes: (side) =>
        side === owes ? probesWith(pair, side, { body: 'none' }) : probesWith(pair, side, {}),
    };
  }
  if (before === undefined || after === undefined) return;
  if (before.limit !== after.limit) {
    const [old = Infinity, next = Infinity] = [before.limit, after.limit];
    yield {
      ...keyed('request-body-limit-changed'),
      message: `the request body has x-body-limit ${String(before.limit ?? 'none')} → ${String(after.limit ?? 'none')}`,
      [next < old ? 'client' : 'server']: {
        // Without `x-body-limit`, the service's own limit applies, which may be lower.
        otherwise: Number.isFinite(Math.max(old, next)) ? 'unproven' : 'dangerous',
        reason: 'a longer body is refused with 413',
      },
    };
  }
  const lone = (media: MediaTypeModel, kind: 'removed' | 'added'): Draft => ({
    ...keyed(`request-media-type-${kind}`, media.mediaType),
    [kind === 'removed' ? 'old' : 'new']: media.at,
    ...(kind === 'removed' && { part: `${places.operation} request ${media.mediaType}` }),
    message: `the request body as ${media.mediaType} is ${kind}`,
    [kind === 'removed' ? 'client' : 'server']: SUSPECT,
    probes: (side) => requestsWith(pair, side, media),
  });
  for (const media of before.content) {
    const other = after.content.find(({ mediaType }) => mediaType === media.mediaType);
    if (other === undefined) yield lone(media, 'removed');
    else {
      const both = [media, other] as const;
      const part = `request ${media.mediaType}`;
      yield* describedDrafts(pair, 'request', 'body', part, both, probesAs(pair, both));
    }
  }
  for (const media of after.content)
    if (!before.content.some(({ mediaType }) => mediaType === media.mediaType)) yield lone(media, 'added');
}
