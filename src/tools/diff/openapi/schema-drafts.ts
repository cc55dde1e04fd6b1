/** Turns the differences of schemas into changes of the requests or the responses that carry the values. */

import type { Json } from '@concordat/runtime';
import { memberPointer, partName } from '@concordat/runtime/parts';
import type { Schema } from 'concordat/contract';
import { isEntity } from '../../running/resources.js';
import { flattened, propertyParts } from '../../values/inner-parts.js';
import { exampleValue } from '../../values/example-value.js';
import type { Part } from '../../values/parts.js';
import { variantsOf } from '../../values/value-variants.js';
import { partsOf as describedParts } from '../../values/document-parts.js';
import type { Side, VersionName } from '../change/change.js';
import { compareSchemas } from '../schemas/compare-schemas.js';
import type { Candidates, Difference, Doubt, ValueMaker } from '../schemas/difference.js';
import type { Direction } from '../schemas/schema-view.js';
import {
  type Draft,
  type Pair,
  type Probe,
  SUSPECT,
  type Suspicion,
  labelOf,
  otherVersion,
  requesterOf,
  dangerous,
} from './judge.js';
import { surroundings } from './example-messages.js';
import { type Site, type Surroundings, lifted, partsOf, stepsTo } from '../schemas/site.js';

/** A value that messages carry: a body, a parameter or a header. */
interface Carrier {
  readonly site: Site;
  readonly name: string;
  readonly operation: string;
  /** The name of the value among the parts of the old version. */
  readonly part: string;
  readonly direction: Direction;
  /** Whether the service sends the request. */
  readonly isSent: boolean;
  readonly isUnchanged: Pair['isUnchanged'];
  readonly neverRefused: Suspicion | undefined;
  readonly probes: (value: Json, around: Surroundings, from: VersionName) => Iterable<Probe>;
}

/** A version's description of a value in a request or a response. */
type Described = NonNullable<Parameters<typeof describedParts>[0]>;

/**
 * The changes of a value that both versions of an operation describe, at any depth.
 *
 * @param name - the name of the value in messages, such as `body`
 * @param part - its name among the parts of the old version, without the operation
 * @param probes - the messages that carry the value
 * @param neverRefused - replaces each suspicion if no value is ever refused
 */
export function describedDrafts(
  { isUnchanged, isSent, old: operation }: Pair,
  direction: Direction,
  name: string,
  part: string,
  [old, next]: readonly [Described, Described],
  probes: Carrier['probes'],
  neverRefused?: Suspicion,
): Iterable<Draft> {
  const site = { old: describedParts(old), new: describedParts(next) };
  const carrier = { site, name, direction, isSent, isUnchanged, probes, neverRefused };
  const label = labelOf(operation);
  return schemaDrafts({ ...carrier, operation: label, part: `${label} ${part}` });
}

function* schemaDrafts(carrier: Carrier): Generator<Draft> {
  const { site, name: whole, direction, isUnchanged } = carrier;
  for (const difference of compareSchemas(site, whole, direction, isUnchanged)) {
    const { kind, name, text, old, new: next } = difference;
    yield {
      kind,
      message: `${carrier.direction} ${name}${text}`,
      key: [carrier.direction, kind, old, next, text].join(' '),
      operation: carrier.operation,
      part: partOf(carrier, difference),
      old,
      new: next,
      ...without(carrier.neverRefused, suspicionsOf(difference, carrier)),
      probes: (side) => probesOf(carrier, difference, side),
    };
  }
}

/** The part of the old version that a difference concerns: of a property that it does not require, the object. */
function partOf({ name: whole, part }: Carrier, { kind, name, value }: Difference): string {
  const steps = name.slice(whole.length).split('/').slice(1);
  if (kind === 'property-added' || kind === 'property-became-required') steps.pop();
  const pointer = steps.map((step) => memberPointer(/^\d+$/.test(step) ? '*' : step)).join('');
  if (value !== undefined) return partName(part, pointer, JSON.stringify(value));
  return partName(part, pointer.replace(/(?:\/\*)+$/, ''));
}

type Suspicions = Readonly<Partial<Record<Side, Suspicion>>>;

function without(instead: Suspicion | undefined, { client, server }: Suspicions): Suspicions {
  if (instead === undefined) return { ...(client && { client }), ...(server && { server }) };
  return { ...(client && { client: instead }), ...(server && { server: instead }) };
}

/** A client sends requests and reads responses, a server the reverse. */
function suspicionsOf(
  { kind, effect, doubt, isRequired, isForbidden = false }: Difference,
  { direction, isSent }: Carrier,
): Suspicions {
  const [sender, receiver]: readonly [Side, Side] =
    direction === 'request' ? ['client', 'server'] : ['server', 'client'];
  const only = HIDDEN_IN[kind];
  if (only !== undefined && only !== direction) return {};
  if (kind === 'default-changed') {
    return direction === 'request' ? { client: dangerous('the meaning of an absent value has changed') } : {};
  }
  if (isRequired !== undefined) {
    const isRemoved = effect === 'narrower';
    const what = { isRemoved, isRequired, isForbidden, doubt };
    if (!isSent) return ofProperty(what, direction);
    // A request that the service sends is treated like a response, and the response to it like a request.
    const { client, server } = ofProperty(what, REVERSE[direction]);
    return { ...(server && { client: server }), ...(client && { server: client }) };
  }
  if (effect === 'ignored') return {};
  if (effect === 'narrower') return { [sender]: doubted(doubt) };
  if (effect === 'wider') return { [receiver]: doubted(doubt) };
  // The change of such a keyword may go either way.
  const suspicion = doubted(doubt ?? 'implied');
  return { client: suspicion, server: suspicion };
}

/** It is breaking, whether a message proves it or not. */
const CERTAIN: Suspicion = { otherwise: 'unproven', untried: 'unproven' };
const CONDITIONAL: Suspicion = { otherwise: 'dangerous' };

function doubted(doubt: Doubt | undefined): Suspicion {
  if (doubt === undefined) return CERTAIN;
  return doubt === 'implied' ? SUSPECT : CONDITIONAL;
}

const REVERSE: Readonly<Record<Direction, Direction>> = { request: 'response', response: 'request' };

const IGNORED = dangerous('the property is ignored');
const UNREAD = dangerous('the property may be missing');
/** Unless a message proves the opposite, a property that the reader does not know is ignored. */
const EXTRA: Suspicion = { otherwise: 'safe', untried: 'safe' };

/**
 * The suspicions for a property that only one version has. An undescribed property is ignored, unless the object is closed. A
 * required property that is not sent is missed.
 */
function ofProperty(
  what: Required<Pick<Difference, 'isRequired' | 'isForbidden' | 'doubt'>> & { readonly isRemoved: boolean },
  direction: Direction,
): Suspicions {
  const { isRemoved, isRequired, isForbidden, doubt } = what;
  const refused = isForbidden ? doubted(doubt) : undefined;
  const missed = isRequired ? doubted(doubt) : undefined;
  if (direction === 'request') {
    const [sender, other]: readonly [Side, Side] = isRemoved ? ['client', 'server'] : ['server', 'client'];
    return { [sender]: refused ?? IGNORED, ...(missed && { [other]: missed }) };
  }
  if (isRemoved) return { client: UNREAD, server: refused ?? EXTRA };
  return { client: refused ?? EXTRA, ...(missed && { server: missed }) };
}

/** Marks of properties that matter in one direction only. */
const HIDDEN_IN: Readonly<Record<string, Direction>> = {
  'readOnly-changed': 'request',
  'writeOnly-changed': 'response',
};

function* probesOf(carrier: Carrier, difference: Difference, side: Side): Generator<Probe> {
  const { direction } = carrier;
  const from = direction === 'request' ? requesterOf(side) : otherVersion(requesterOf(side));
  const seen = new Set<string>();
  const probes = function* (values: Candidates, around: Surroundings): Generator<Probe> {
    let left = CANDIDATES;
    for (const value of values) {
      if ((left -= 1) < 0) return;
      const whole = value === undefined ? undefined : lifted(difference.site, value, around);
      if (whole === undefined) continue;
      const text = JSON.stringify(whole);
      const isSeen = seen.has(text);
      seen.add(text);
      if (isSeen) continue;
      const controls = function* (): Generator<Probe> {
        for (const shared of sharedValues(difference, value, around)) {
          const control = lifted(difference.site, shared, around);
          if (control !== undefined && JSON.stringify(control) !== text)
            yield* carrier.probes(control, around, from);
        }
      };
      for (const probe of carrier.probes(whole, around, from)) {
        const root = probe.steps ?? (carrier.name === 'body' ? ['body'] : undefined);
        yield { ...probe, ...(root && { steps: [...root, ...steps] }), controls };
      }
    }
  };
  const steps = stepsTo(difference.site);
  const all = surroundings(from, direction);
  const maker = (around: Surroundings): ValueMaker => makerOf(difference.site, around, from);
  for (const around of all) yield* probes(difference.values(maker(around)), around);
  // If a version does not describe the property, values of other kinds prove nothing about it.
  if (difference.isRequired !== undefined) return;
  for (const around of all) {
    yield* probes(maker(around).variants(partsOf(difference.site, otherVersion(from))), around);
    yield* probes(maker(around).variants(), around);
  }
}

/** A candidate with values at the compared place that both versions may take. */
function* sharedValues(
  { site, property, isForbidden = false }: Difference,
  value: Json | undefined,
  around: Surroundings,
): Generator<Json> {
  const both = partsOf(site, 'both');
  const parts = property === undefined ? both : propertyParts(flattened(both), property);
  const shared =
    parts === undefined || isForbidden
      ? []
      : [false, true].flatMap((full) => exampleValue(parts, { ...around, full }) ?? []);
  if (property === undefined) yield* shared;
  else if (isEntity(value)) {
    if (Object.hasOwn(value, property))
      yield Object.fromEntries(Object.entries(value).filter(([name]) => name !== property));
    for (const each of shared) yield { ...value, [property]: each };
  }
}

/** The maximum number of values of one kind that are tried. */
const CANDIDATES = 400;

function makerOf(site: Site, around: Surroundings, from: VersionName): ValueMaker {
  const schemaPart = (schema: Schema): Part => ({ schema, at: '#' });
  const own = partsOf(site, from);
  return {
    own: (also = true, overrides = {}) =>
      exampleValue([...own, ...(isList(also) ? also : [schemaPart(also)])], around, overrides),
    shared: (overrides) =>
      exampleValue([...partsOf(site, around.fit), schemaPart({ type: 'object' })], around, overrides),
    *variants(also = []) {
      for (const { value } of variantsOf([...own, ...also], '', around.direction)) yield value;
    },
  };
}

function isList(also: Schema | readonly Part[]): also is readonly Part[] {
  return Array.isArray(also);
}
