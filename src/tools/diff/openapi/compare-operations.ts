/** Finds the changes between two versions of an OpenAPI contract, operation by operation. */

import type { Json } from '@concordat/runtime';
import { type OpenApiDocument, type OperationModel, joinPointer, resolvePointer } from 'concordat/contract';
import type { Progress } from '../../running/running-contract.js';
import type { ChangeKind, Side, VersionName } from '../change/change.js';
import { compareRequests, probesWith } from './compare-requests.js';
import { compareResponses } from './compare-responses.js';
import {
  type Draft,
  type Pair,
  SUSPECT,
  type Suspicion,
  type Versions,
  keyOf,
  labelOf,
  requesterOf,
  dangerous,
} from './judge.js';
import { requestsOf } from './example-messages.js';
import { isAfterSunset, sunsetOf } from '../change/rules.js';

/** Schemes that a request needs together, with their scopes. */
type Requirement = OperationModel['security'][number];

/**
 * Every change of operations, once per operation that it affects.
 *
 * @param isSent - whether the service sends the requests
 * @param now - decides which operations are past their sunset
 */
export function* compareContracts(
  versions: Versions,
  isUnchanged: Pair['isUnchanged'],
  isSent: boolean,
  now: Date,
  progress?: Progress,
): Generator<Draft> {
  const byKey = (name: VersionName): ReadonlyMap<string, OperationModel> =>
    new Map(versions[name].model.operations.map((each) => [keyOf(each), each]));
  const [before, after] = [byKey('old'), byKey('new')];
  let done = 0;
  for (const [key, operation] of before) {
    const other = after.get(key);
    if (other !== undefined)
      yield* compareOperation({ versions, isUnchanged, isSent, old: operation, new: other });
    else if (isSent) yield loneSent(operation, 'old');
    else yield loneOperation(operation, 'old', now);
    progress?.((done += 1), before.size);
  }
  for (const [key, operation] of after) {
    if (before.has(key)) continue;
    yield isSent ? loneSent(operation, 'new') : loneOperation(operation, 'new', now);
  }
}

/** A webhook or callback that only one version has. It breaks neither side, because no message is refused. */
function loneSent(operation: OperationModel, from: VersionName): Draft {
  const kind = from === 'old' ? 'removed' : 'added';
  const unasked = dangerous('it may be sent to a client that does not know it');
  const inVain = dangerous('a client may wait for it in vain');
  const name = operation.path.lastIndexOf('/') === 0 ? 'webhook' : 'callback';
  return {
    kind: `${name}-${kind}`,
    message: `the ${name} is ${kind}`,
    key: `${kind} ${operation.pointer}`,
    operation: labelOf(operation),
    ...(from === 'old' ? { old: operation.pointer, new: '#' } : { old: '#', new: operation.pointer }),
    client: from === 'old' ? unasked : inVain,
    server: from === 'old' ? inVain : unasked,
  };
}

function loneOperation(operation: OperationModel, from: VersionName, now: Date): Draft {
  const kind = from === 'old' ? 'operation-removed' : 'operation-added';
  const sunset = sunsetOf(operation);
  const isAnnounced = from === 'old' && isAfterSunset(operation, now);
  const suspicion: Suspicion = isAnnounced
    ? { ...dangerous(`it was announced to end after ${String(sunset)}`), atMost: 'dangerous' }
    : SUSPECT;
  return {
    kind,
    message: `the operation is ${from === 'old' ? 'removed' : 'added'}${sunset !== undefined && from === 'old' && !isAnnounced ? ` before its sunset ${sunset}` : ''}`,
    key: `${kind} ${operation.pointer}`,
    operation: labelOf(operation),
    ...(from === 'old'
      ? { old: operation.pointer, new: '#/paths' }
      : { old: '#/paths', new: operation.pointer }),
    [from === 'old' ? 'client' : 'server']: suspicion,
    *probes(side) {
      for (const request of requestsOf({ from: requesterOf(side), sender: operation })) yield { request };
    },
  };
}

function* compareOperation(pair: Pair): Generator<Draft> {
  yield* compareRequests(pair);
  yield* compareResponses(pair);
  yield* compareSecurity(pair);
  yield* compareMarks(pair);
}

/** Compares the security requirements, and the schemes that they name. */
function* compareSecurity(pair: Pair): Generator<Draft> {
  const { versions, old, new: next } = pair;
  const written = (name: VersionName): string => {
    const { securitySchemes } = versions[name].model;
    const described = pair[name].security.map((requirement) =>
      Object.entries(requirement).map(([scheme, scopes]) => [scheme, scopes, securitySchemes[scheme]]),
    );
    return JSON.stringify(described);
  };
  if (written('old') === written('new')) return;
  const suspicionFor = (sender: OperationModel, receiver: OperationModel): Suspicion => ({
    otherwise: 'safe',
    untried: isTaken(sender, receiver) ? 'dangerous' : 'unproven',
  });
  yield {
    kind: 'security-changed',
    message: `security ${securityText(old)} → ${securityText(next)}`,
    key: `security ${written('old')} ${written('new')}`,
    operation: labelOf(old),
    old: placeIn(versions, 'old', old, 'security'),
    new: placeIn(versions, 'new', next, 'security'),
    client: suspicionFor(old, next),
    server: suspicionFor(next, old),
    *probes(side) {
      const { security } = pair[requesterOf(side)];
      const alternatives = security.length === 0 ? [{}] : security;
      for (const credentials of alternatives) yield* probesWith(pair, side, { credentials });
    },
  };
}

/** Whether each alternative of the sender satisfies an alternative of the receiver. */
function isTaken(sender: OperationModel, receiver: OperationModel): boolean {
  const given = sender.security.length === 0 ? [{}] : sender.security;
  const isMet = (own: Requirement, asked: Requirement): boolean =>
    Object.entries(asked).every(
      ([name, scopes]) =>
        Object.hasOwn(own, name) && scopes.every((scope) => own[name]?.includes(scope) === true),
    );
  return (
    receiver.security.length === 0 ||
    given.every((own) => receiver.security.some((asked) => isMet(own, asked)))
  );
}

function securityText({ security }: OperationModel): string {
  const one = (requirement: object): string =>
    Object.entries(requirement)
      .map(([name, scopes]) => [name, ...(scopes as readonly string[])].join(' '))
      .join(' and ') || 'nothing';
  return security.length === 0 ? 'nothing' : security.map(one).join(' or ');
}

/** The place of an operation's field: in the operation, or in the document if it is inherited. For an absent field, the operation. */
function placeIn(versions: Versions, name: VersionName, { pointer }: OperationModel, field: string): string {
  const { document } = versions[name];
  if (field in (resolvePointer(document, pointer) as object)) return joinPointer(pointer, field);
  return field in document ? joinPointer('#', field) : pointer;
}

/** Compares the fields of an operation that do not describe its messages. */
function* compareMarks({ versions, old, new: next }: Pair): Generator<Draft> {
  const change = (
    kind: ChangeKind,
    message: string,
    field: string,
    suspicions: Partial<Record<Side, Suspicion>> = {},
  ): Draft => ({
    kind,
    message,
    key: `${kind} ${old.pointer} ${field}`,
    operation: labelOf(old),
    old: placeIn(versions, 'old', old, field),
    new: placeIn(versions, 'new', next, field),
    ...suspicions,
  });
  if (old.id !== next.id) {
    const renamed = dangerous('generated code is named after it');
    const message = `operationId ${old.id} → ${next.id}`;
    yield change('operation-id-changed', message, 'operationId', { client: renamed, server: renamed });
  }
  if (old.deprecated !== next.deprecated) {
    const message = `the operation is ${next.deprecated ? '' : 'no longer '}deprecated`;
    yield change('deprecation-changed', message, 'deprecated');
  }
  const [before, after] = [sunsetOf(old), sunsetOf(next)];
  if (before !== after) {
    const isEarlier = before !== undefined && after !== undefined && after < before;
    const message = `sunset ${before ?? 'none'} → ${after ?? 'none'}`;
    const suspicions = isEarlier ? { client: dangerous('clients have less time than was announced') } : {};
    yield change('sunset-changed', message, 'x-deprecation', suspicions);
  }
  yield* extensionDrafts(old.extensions, next.extensions).map(([name, message]) =>
    change('extension-changed', message, name, EXTENSION),
  );
}

const UNKNOWN: Suspicion = { otherwise: 'info', reason: 'only its readers know its meaning' };

/** The generator does not read the extension, so no message depends on it. */
const EXTENSION: Readonly<Record<Side, Suspicion>> = { client: UNKNOWN, server: UNKNOWN };

/** Extensions that {@link sunsetOf} reads are compared by their dates. */
const DATED = ['x-deprecation', 'x-sunset'];

function extensionDrafts(
  old: Readonly<Record<string, Json>>,
  next: Readonly<Record<string, Json>>,
): readonly (readonly [name: string, message: string])[] {
  const names = [...new Set([...Object.keys(old), ...Object.keys(next)])].filter(
    (name) => !DATED.includes(name),
  );
  return names
    .filter((name) => JSON.stringify(old[name]) !== JSON.stringify(next[name]))
    .map((name) => {
      const word = old[name] === undefined ? 'added' : next[name] === undefined ? 'removed' : 'changed';
      return [name, `${name} is ${word}`];
    });
}

export function* compareDocuments({ old, new: next }: Versions): Generator<Draft> {
  const change = (
    kind: ChangeKind,
    field: string,
    message: string,
    suspicions: Partial<Record<Side, Suspicion>>,
  ): Draft => ({
    kind,
    message,
    key: field,
    old: field in old.document ? joinPointer('#', field) : '#',
    new: field in next.document ? joinPointer('#', field) : '#',
    ...suspicions,
  });
  const [before, after] = [old, next].map(({ document }) => addressesIn(document));
  if (before !== after)
    yield change('servers-changed', 'servers', 'servers are changed', {
      client: dangerous('a client may call an address that was removed'),
    });
  yield* extensionDrafts(old.model.extensions, next.model.extensions).map(([name, message]) =>
    change('extension-changed', name, message, EXTENSION),
  );
}

/** The addresses of a service; the default is the address of the document (OpenAPI Object). */
function addressesIn({ servers = [] }: OpenApiDocument): string {
  const described = servers.length === 0 ? [{ url: '/' }] : servers;
  const isText = (key: string): boolean => key === 'description' || key === 'name' || key.startsWith('x-');
  return JSON.stringify(described, (key, value: unknown) => (isText(key) ? undefined : value));
}
