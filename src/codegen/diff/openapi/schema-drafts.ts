/** Turns the differences of schemas into changes of the requests or the responses that carry the values. */

import type { Json } from 'concordat';
import type { Schema } from '../../load/openapi.js';
import { partsOf as describedParts } from '../../examples/conjunction.js';
import { exampleValue } from '../../examples/example-value.js';
import type { Side, VersionName } from '../change/change.js';
import { compareSchemas } from '../schemas/compare-schemas.js';
import type { Difference, Direction, ValueMaker } from '../schemas/difference.js';
import {
  type Draft,
  type Pair,
  type Probe,
  SUSPECT,
  type Suspicion,
  labelOf,
  otherVersion,
  requesterOf,
} from './draft.js';
import { surroundings } from './requests.js';
import { type Site, type Surroundings, lifted, partsOf } from '../schemas/site.js';

/** A value that messages carry: a body, a parameter or a header. */
interface Carrier {
  readonly site: Site;
  readonly name: string;
  readonly operation: string;
  readonly direction: Direction;
  /** Whether the service sends the request. */
  readonly isSent: boolean;
  readonly neverRefused: Suspicion | undefined;
  readonly probes: (value: Json, around: Surroundings, from: VersionName) => Iterable<Probe>;
}

/** What a version says of a value that a request or a response carries. */
type Described = Parameters<typeof describedParts>[0];

/**
 * The changes of a value that both versions of an operation describe, at any depth.
 *
 * @param name - the value in messages: `body`
 * @param probes - the messages with the value
 * @param neverRefused - in place of a suspicion, where no value is refused
 */
export function describedDrafts(
  { versions, isSent, old: operation }: Pair,
  direction: Direction,
  name: string,
  [old, next]: readonly [Described, Described],
  probes: Carrier['probes'],
  neverRefused?: Suspicion,
): Iterable<Draft> {
  const site = {
    old: describedParts(old, versions.old.document),
    new: describedParts(next, versions.new.document),
  };
  return schemaDrafts({ site, name, direction, isSent, probes, neverRefused, operation: labelOf(operation) });
}

function* schemaDrafts(carrier: Carrier): Generator<Draft> {
  for (const difference of compareSchemas(carrier.site, carrier.name, carrier.direction)) {
    const { kind, name, text, old, new: next } = difference;
    yield {
      kind,
      message: `${carrier.direction} ${name}${text}`,
      key: [carrier.direction, kind, old, next, text].join(' '),
      operation: carrier.operation,
      old,
      new: next,
      ...without(carrier.neverRefused, suspicionsOf(difference, carrier)),
      probes: (side) => probesOf(carrier, difference, side),
    };
  }
}

type Suspicions = Readonly<Partial<Record<Side, Suspicion>>>;

function without(instead: Suspicion | undefined, { client, server }: Suspicions): Suspicions {
  if (instead === undefined) return { ...(client && { client }), ...(server && { server }) };
  return { ...(client && { client: instead }), ...(server && { server: instead }) };
}

/** A client sends requests and reads responses, a server the reverse. */
function suspicionsOf(
  { kind, effect, isRequired = false }: Difference,
  { direction, isSent }: Carrier,
): Suspicions {
  const [sender, receiver]: readonly [Side, Side] =
    direction === 'request' ? ['client', 'server'] : ['server', 'client'];
  const only = HIDDEN_IN[kind];
  if (only !== undefined && only !== direction) return {};
  if (kind === 'default-changed') {
    const reason = 'what an absent value means has changed';
    return direction === 'request' ? { client: { otherwise: 'dangerous', reason } } : {};
  }
  if (kind === 'property-removed' || kind === 'property-added') {
    const isRemoved = kind === 'property-removed';
    if (!isSent) return ofProperty(isRemoved, isRequired, direction);
    // What the service sends informs as its answers do, and what it is answered asks as requests do.
    const { client, server } = ofProperty(isRemoved, isRequired, REVERSE[direction]);
    return { ...(server && { client: server }), ...(client && { server: client }) };
  }
  if (effect === 'ignored') return {};
  if (effect === 'narrower') return { [sender]: SUSPECT };
  return effect === 'wider' ? { [receiver]: SUSPECT } : { client: SUSPECT, server: SUSPECT };
}

const REVERSE: Readonly<Record<Direction, Direction>> = { request: 'response', response: 'request' };

const IGNORED: Suspicion = { otherwise: 'dangerous', reason: 'the property is ignored' };
const UNREAD: Suspicion = { otherwise: 'dangerous', reason: 'the property may be missing' };
const EXTRA: Suspicion = { otherwise: 'safe' };

/**
 * A property that one version has. What is sent without being described is ignored, unless the object is closed; what is
 * required is missed where it is not sent.
 */
function ofProperty(isRemoved: boolean, isRequired: boolean, direction: Direction): Suspicions {
  if (direction === 'request') {
    const [sender, other]: readonly [Side, Side] = isRemoved ? ['client', 'server'] : ['server', 'client'];
    return { [sender]: IGNORED, ...(isRequired && { [other]: SUSPECT }) };
  }
  if (isRemoved) return { client: UNREAD, server: EXTRA };
  return { client: EXTRA, ...(isRequired && { server: SUSPECT }) };
}

/** Marks of properties that count in one direction only. */
const HIDDEN_IN: Readonly<Record<string, Direction>> = {
  'readOnly-changed': 'request',
  'writeOnly-changed': 'response',
};

function* probesOf(carrier: Carrier, difference: Difference, side: Side): Generator<Probe> {
  const { direction } = carrier;
  const from = direction === 'request' ? requesterOf(side) : otherVersion(requesterOf(side));
  const seen = new Set<string>();
  for (const around of surroundings(from, direction)) {
    for (const value of difference.values(makerOf(difference.site, around, from))) {
      const whole = value === undefined ? undefined : lifted(difference.site, value, around);
      if (whole === undefined) continue;
      const text = JSON.stringify(whole);
      const isSeen = seen.has(text);
      seen.add(text);
      if (!isSeen) yield* carrier.probes(whole, around, from);
    }
  }
}

function makerOf(site: Site, around: Surroundings, from: VersionName): ValueMaker {
  const schemaPart = (schema: Schema) => ({ schema, at: '#', document: NOTHING });
  return {
    own: (also = true, overrides = {}) =>
      exampleValue([...partsOf(site, from), schemaPart(also)], around, overrides),
    shared: (overrides) =>
      exampleValue([...partsOf(site, around.fit), schemaPart({ type: 'object' })], around, overrides),
  };
}

/** The document of schemas that refer to nothing. */
const NOTHING = { openapi: '3.1.0', info: { title: '', version: '' } };
