/** A change before its verdict, and the verdict: the change is breaking if a message proves it. */

import { declaredParts, once, operationParts } from '@concordat/runtime/parts';
import { sentenceOf } from '@concordat/runtime/testing';
import {
  type Change,
  type ChangeKind,
  SEVERITIES,
  type RequestWitness,
  type ResponseWitness,
  type Severity,
  type Side,
  SIDES,
  type Verdict,
  type VersionName,
  type Witness,
} from '../change/change.js';
import type { Progress, RunningContract } from '../../running/running-contract.js';
import { type RequestParts, type SentResponse, wireRequest } from '../../running/wire-request.js';
import { type OperationModel, type ParameterModel, parameterKey } from 'concordat/contract';
import type { Site } from '../schemas/site.js';
import type { UsageTotal } from '../../usage/usage-file.js';
import { isAlong, knownFaults, MOST_KNOWN } from './known-faults.js';

export interface Draft {
  readonly kind: ChangeKind;
  readonly message: string;
  /** Changes with the same key are one change, found in several operations. */
  readonly key: string;
  /** `GET /users`; absent for a change of the whole contract. */
  readonly operation?: string;
  /** The name of the part of the old version that it concerns, as files of usage have it; the operation if it is absent. */
  readonly part?: string | undefined;
  /** JSON Pointers. */
  readonly old?: string | undefined;
  readonly new?: string | undefined;
  /** Absent if the change is safe for that side. */
  readonly client?: Suspicion;
  readonly server?: Suspicion;
  /** Messages that would prove that the change breaks that side. */
  readonly probes?: (side: Side) => Iterable<Probe>;
}

/** The severity of a change that no message proves to be breaking. With `unproven`, it counts as breaking all the same. */
type Unproved = Exclude<Severity, 'breaking'> | 'unproven';

export interface Suspicion {
  /** The severity if messages were tried and none proves the change. */
  readonly otherwise: Unproved;
  /** The severity if no message could be built. Default: `dangerous`. */
  readonly untried?: Unproved;
  readonly reason?: string;
  /** The highest severity that a rule allows, even if a witness is found. */
  readonly atMost?: Severity;
}

export const dangerous = (reason: string): Suspicion => ({ otherwise: 'dangerous', reason });

/** A message that may prove a change. */
export type Probe = Message & {
  /** The way to the compared place: `body`, `address`, `city`. */
  readonly steps?: readonly string[];
  /** The same message with another value in the compared place, which shows what is refused for other reasons. */
  readonly controls?: () => Iterable<Message>;
};

type Message =
  | { readonly request: RequestParts }
  | {
      readonly response: SentResponse;
      /** The operationId in both versions, and the label, such as `GET /users`. */
      readonly operation: Readonly<Record<VersionName | 'label', string>>;
    };

/** The two versions of a contract. */
export type Versions = Readonly<Record<VersionName, RunningContract>>;

/** An operation that both versions have. */
export interface Pair {
  readonly versions: Versions;
  /** Whether a value surely has the same schemas in both versions. */
  readonly isUnchanged: (site: Site) => boolean;
  /** Whether the service sends the request. Within a pair, `client` always means the sender, and `server` the receiver. */
  readonly isSent: boolean;
  readonly old: OperationModel;
  readonly new: OperationModel;
}

/** The version of the client in the scenario of a side: old if the client has not changed, new if the server has not changed. */
export function requesterOf(side: Side): VersionName {
  return side === 'client' ? 'old' : 'new';
}

export function otherVersion(version: VersionName): VersionName {
  return version === 'old' ? 'new' : 'old';
}

/** The change is breaking if a message proves it or none can be built, and dangerous if both versions accept all messages tried. */
export const SUSPECT: Suspicion = { otherwise: 'dangerous', untried: 'unproven' };

/** A parameter's identity in both versions: the name of a path parameter is not part of a request. */
export function parameterId(parameter: ParameterModel): string {
  return parameter.in === 'path' ? `path ${String(parameter.index)}` : parameterKey(parameter);
}

/** `GET /users`, `POST webhook newUser` or `POST callback paid of POST /orders`. */
export function labelOf({ method, path, isSent }: OperationModel): string {
  if (!isSent) return `${method} ${path}`;
  const [name = '', , owner] = path.split('/').slice(1).map(decodeURIComponent);
  return owner === undefined ? `${method} webhook ${name}` : `${method} callback ${name} of ${owner}`;
}

/** Two paths are the same if they differ only in the names of their parameters. */
export function keyOf({ method, path }: OperationModel): string {
  return `${method} ${path.replaceAll(/\{[^}]*\}/g, '{}')}`;
}

/** The maximum number of messages that are tried for one side of a change. */
const BUDGET = 400;

/** After so many messages, no further operation is tried: the same schemas are in all, and most proofs are among the first three messages. */
const BUDGET_OF_OTHERS = 16;

/** The number of messages that are made for one side of a change, and the same if its own version takes none of them. */
const MOST_MADE = 600;
const MOST_REFUSED = 60;

/** Turns drafts into changes. Drafts with the same key become one change, with all their operations. */
export async function judged(
  versions: Versions,
  drafts: Iterable<Draft>,
  progress?: Progress,
  usage?: UsageTotal,
): Promise<readonly Change[]> {
  const groups = new Map<string, [Draft, ...Draft[]]>();
  for (const draft of drafts) {
    const known = groups.get(draft.key);
    if (known === undefined) groups.set(draft.key, [draft]);
    else known.push(draft);
  }
  const changes: Change[] = [];
  for (const group of groups.values()) {
    const change = await changeOf(versions, group);
    changes.push(usage === undefined ? change : withUse(change, group, versions.old, usage));
    progress?.(changes.length, groups.size);
  }
  return changes;
}

async function changeOf(versions: Versions, group: readonly [Draft, ...Draft[]]): Promise<Change> {
  const [{ kind, message, old, new: next }] = group;
  const client = await verdictOf(versions, group, 'client');
  const server = await verdictOf(versions, group, 'server');
  return {
    kind,
    message,
    operations: [...new Set(group.flatMap(({ operation }) => operation ?? []))],
    ...(old !== undefined && { old: versions.old.place(old) }),
    ...(next !== undefined && { new: versions.new.place(next) }),
    client,
    server,
  };
}

/** The change with the use of its parts; no file counts the use of webhooks and of the whole contract. */
function withUse(change: Change, group: readonly Draft[], old: RunningContract, usage: UsageTotal): Change {
  if (SIDES.every((side) => ['safe', 'info'].includes(change[side].severity))) return change;
  // Of several parts of an operation, the most used counts: an exchange may have used them all.
  const most = new Map<string, string>();
  for (const { operation = '', part = operation } of group) {
    const declared = once(old, declaredNames).get(operation);
    if (declared === undefined) continue;
    // A part that no observer counts is within one that is counted, at last within the operation.
    let name = part;
    while (!declared.has(name)) name = name.replace(/(?: |\/)[^ /]*$/, '');
    const known = most.get(operation);
    if (known === undefined || usage.of([name]).count > usage.of([known]).count) most.set(operation, name);
  }
  return most.size === 0 ? change : { ...change, usage: usage.of([...most.values()]) };
}

/** The names of the parts of each operation. */
function declaredNames(running: RunningContract): ReadonlyMap<string, ReadonlySet<string>> {
  const { contract, responseChecks } = running;
  const operations = Object.values(contract.operations).map((each) => operationParts(each, responseChecks));
  return new Map(
    operations.map((parts) => [parts.name, new Set(Array.from(declaredParts(parts), ({ name }) => name))]),
  );
}

async function verdictOf(versions: Versions, group: readonly Draft[], side: Side): Promise<Verdict> {
  let [tried, made] = [0, 0];
  const isOver = (): boolean => made >= (tried === 0 ? MOST_REFUSED : MOST_MADE);
  let worst: Verdict = { severity: 'safe' };
  for (const draft of group) {
    const [suspicion, before] = [draft[side], tried];
    if (suspicion === undefined) continue;
    if (tried >= BUDGET_OF_OTHERS || isOver()) break;
    for (const probe of draft.probes?.(side) ?? []) {
      if (tried >= BUDGET || isOver()) break;
      made += 1;
      const found = await outcomeOf(versions, probe, side);
      if (found === undefined) continue;
      tried += 1;
      const witness = await witnessIn(versions, found, probe, side);
      if (witness !== undefined) return proved(suspicion, witness);
    }
    const verdict = unproved(suspicion, tried - before);
    if (SEVERITIES.indexOf(verdict.severity) < SEVERITIES.indexOf(worst.severity)) worst = verdict;
  }
  return worst;
}

function proved({ atMost, reason }: Suspicion, witness: Witness): Verdict {
  if (atMost === undefined) return { severity: 'breaking', witness };
  return { severity: atMost, ...(reason !== undefined && { reason }), witness };
}

function unproved({ otherwise, untried = 'dangerous', reason: given }: Suspicion, tried: number): Verdict {
  const found = tried > 0 || given !== undefined ? otherwise : untried;
  if (given === undefined && found === 'safe') return { severity: 'safe' };
  const reason =
    given ??
    (tried === 0
      ? 'no example message could be built'
      : `none of ${tried} messages proves that it is breaking`);
  return found === 'unproven'
    ? { severity: 'breaking', unproven: true, reason }
    : { severity: found, reason };
}

/** A message that one version takes, and what is wrong with it for the other. */
interface Outcome {
  readonly message: Pick<Witness, 'takenBy' | 'refusedBy'> &
    (Pick<RequestWitness, 'request'> | Pick<ResponseWitness, 'response'>);
  readonly faults: readonly string[];
  readonly sentence: (fault: string) => string;
}

/** @returns undefined if no version takes the message */
async function outcomeOf(versions: Versions, probe: Message, side: Side): Promise<Outcome | undefined> {
  const requester = requesterOf(side);
  const other = otherVersion(requester);
  if ('request' in probe) {
    const [own, theirs] = [versions[requester], versions[other]];
    const schemes = { ...theirs.model.securitySchemes, ...own.model.securitySchemes };
    const request = wireRequest(probe.request, schemes);
    if (request === undefined || 'refusal' in (await own.expectedOutcomeOf(request))) return undefined;
    const expected = await theirs.expectedOutcomeOf(request);
    const message = { request, takenBy: requester, refusedBy: other };
    if ('operation' in expected) return { message, faults: [], sentence: String };
    const { sentence, status, faults } = expected.refusal;
    const [first, ...others] = faults;
    if (first === undefined) return { message, faults: [sentence], sentence: String };
    return {
      message,
      faults: [first, ...others],
      sentence: (fault) => (fault === first ? sentence : `${status} ${fault}`),
    };
  }
  const { operation, response } = probe;
  const known = once(versions, knownFaults);
  const key = `${side} ${operation.label} ${JSON.stringify(response)}`;
  if (known.size >= MOST_KNOWN) known.clear();
  if (!known.has(key)) {
    const isDeclared = versions[other].declares(operation[other], response);
    const found = isDeclared ? versions[requester].objectionsTo(operation[requester], response) : undefined;
    known.set(key, found?.map(sentenceOf));
  }
  const faults = known.get(key);
  const answer = { operation: operation.label, ...response };
  const message = { response: answer, takenBy: other, refusedBy: requester };
  return faults && { message, faults, sentence: String };
}

/** The witness that a message is, if the compared place has a fault: one that a message without the change does not have. */
async function witnessIn(
  versions: Versions,
  { message, faults: all, sentence }: Outcome,
  { steps = [], controls }: Probe,
  side: Side,
): Promise<Witness | undefined> {
  const faults = all.filter((each) => isAlong(steps, each));
  let [own] = faults;
  if (own === undefined) return undefined;
  for (const control of controls?.() ?? []) {
    const found = await outcomeOf(versions, control, side);
    if (found === undefined) continue;
    own = faults.find((each) => !found.faults.includes(each));
    if (own !== undefined) break;
  }
  return own === undefined ? undefined : { ...message, refusal: sentence(own) };
}
