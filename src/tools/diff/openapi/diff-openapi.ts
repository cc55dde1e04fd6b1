/** The changes between two versions of an OpenAPI contract. */

import type { Selection } from '@concordat/runtime/parts';
import type { Change, Verdict, VersionName } from '../change/change.js';
import { compareContracts, compareDocuments } from './compare-operations.js';
import type { Site } from '../schemas/site.js';
import { Unchanged, withoutUnchanged } from './unchanged.js';
import { judged, keyOf, labelOf } from './judge.js';
import { oldStep, withoutFaults } from './old-faults.js';
import { type Stability, type VersionChange, reasonToBreak, versionChange } from '../change/rules.js';
import {
  type ContractModel,
  type ContractProblem,
  type LoadOptions,
  type OperationModel,
  type ReadContract,
  freeName,
  loadContract,
  readLoaded,
  resolvePointer,
} from 'concordat/contract';
import { type Progress, runRead } from '../../running/running-contract.js';
import type { UsageTotal } from '../../usage/usage-file.js';

interface OpenapiDiff {
  /** The faults of the old document, whose parts are not compared. */
  readonly oldFaults?: readonly ContractProblem[];
  readonly changes: readonly Change[];
  /** Absent if one of the documents has no version. */
  readonly version?: VersionChange;
  readonly tags?: ReadonlyMap<string, readonly string[]>;
}

/** The options for loading both documents, and the use of the old one, if the changes shall say it. */
export interface DiffOptions extends Pick<LoadOptions, 'allowOrigins'> {
  readonly usage?: UsageTotal | undefined;
  /** The operations whose changes are reported; it notices those of both versions. */
  readonly selection?: Selection | undefined;
  /** When operations may break, by their `x-stability`. */
  readonly stability?: Partial<Stability> | undefined;
}

/** Returns the function to call after each step of a stage, such as `Compiling checks`. */
export type StageProgress = (stage: string) => Progress;

/**
 * Compares two OpenAPI documents. Only operations that differ are compiled, so a fault in a schema that is the same in both may
 * not be found.
 *
 * @param now - decides which operations are past their sunset date
 * @throws ContractError when one is not a contract, or the new one has faults
 */
export async function diffOpenapi(
  old: string,
  next: string,
  now: Date,
  progress: StageProgress = () => () => undefined,
  options: DiffOptions = {},
): Promise<OpenapiDiff> {
  return await withoutFaults((without) => compared(old, next, now, progress, options, without));
}

/** @throws OldFaults for those of the old document */
async function compared(
  old: string,
  next: string,
  now: Date,
  progress: StageProgress,
  { selection, ...options }: DiffOptions,
  without: LoadOptions['without'],
): Promise<OpenapiDiff> {
  const reading = progress('Reading contracts');
  const loaded: { readonly old: ReadContract['loaded']; readonly new: ReadContract['loaded'] } = {
    old: await step(reading, 1, () => oldStep(() => loadContract(old, { ...options, without }))),
    new: await step(reading, 2, () => loadContract(next, options)),
  };
  const version = versionChange(loaded.old.document.info?.version, loaded.new.document.info?.version);
  const isSame = JSON.stringify(loaded.old.document) === JSON.stringify(loaded.new.document);
  if (isSame && selection === undefined) {
    reading(STEPS, STEPS);
    return { changes: [], ...version };
  }
  const read = {
    old: await step(reading, 3, () => oldStep(() => readLoaded(old, loaded.old))),
    new: await step(reading, 4, () => readLoaded(next, loaded.new)),
  };
  const operationsOf = ({ model: own }: ReadContract) => [
    ...own.operations,
    ...own.webhooks,
    ...own.callbacks,
  ];
  const [ofOld, ofNew] = [operationsOf(read.old), operationsOf(read.new)];
  const chosen = new Set([...ofOld, ...ofNew].filter((each) => selection?.has(each)).map(labelOf));
  options.usage?.compare(ofOld.map(labelOf));
  const changes = (await changesOf(read, now, progress, options.usage)).filter(
    ({ operations }) => selection === undefined || operations.some((each) => chosen.has(each)),
  );
  const reasons = new Map(ofOld.map((each) => [labelOf(each), reasonToBreak(each, now, options.stability)]));
  const tags = new Map([...ofOld, ...ofNew].map((each) => [labelOf(each), each.tags]));
  return { changes: changes.map((change) => allowed(change, reasons)), ...version, tags };
}

/** A change that breaks only operations which may break is dangerous. */
function allowed(change: Change, reasons: ReadonlyMap<string, string | undefined>): Change {
  const { operations } = change;
  const [reason] = operations.map((operation) => reasons.get(operation));
  if (reason === undefined || operations.some((operation) => reasons.get(operation) === undefined))
    return change;
  const atMostDangerous = (verdict: Verdict): Verdict =>
    verdict.severity === 'breaking' ? { severity: 'dangerous', reason } : verdict;
  return { ...change, client: atMostDangerous(change.client), server: atMostDangerous(change.server) };
}

/** The steps of loading and reading both versions. */
const STEPS = 4;

async function step<T>(progress: Progress, done: number, work: () => Promise<T>): Promise<T> {
  const result = await work();
  progress(done, STEPS);
  return result;
}

interface ReadVersions {
  readonly old: ReadContract;
  readonly new: ReadContract;
}

async function changesOf(
  read: ReadVersions,
  now: Date,
  progress: StageProgress,
  usage: UsageTotal | undefined,
): Promise<readonly Change[]> {
  const unchanged = new Unchanged(read.old.loaded.document, read.new.loaded.document);
  const isUnchanged = (site: Site): boolean => unchanged.has(site);
  const rounds = { old: roundsOf(read.old), new: roundsOf(read.new) };
  const changes: Change[] = [];
  for (let round = 0; round < Math.max(rounds.old.length, rounds.new.length); round += 1) {
    const modelOf = (name: VersionName) => rounds[name][round] ?? withoutOperations(read[name]);
    const models = withoutUnchanged({ old: modelOf('old'), new: modelOf('new') }, read, unchanged);
    if (round > 0 && models.old.operations.length + models.new.operations.length === 0) continue;
    const versions = {
      old: await oldStep(() => runRead({ ...read.old, model: models.old }, progress('Compiling checks'))),
      new: await runRead({ ...read.new, model: models.new }, progress('Compiling checks')),
    };
    const isSent = round % 2 === 1;
    if (round === 0) changes.push(...(await judged(versions, compareDocuments(versions))));
    const drafts = compareContracts(versions, isUnchanged, isSent, now, progress('Comparing operations'));
    const found = await judged(versions, drafts, progress('Looking for proofs'), usage);
    changes.push(...(round === 0 ? found : found.map((each) => ofCallback(each, isSent))));
  }
  return changes;
}

function withoutOperations({ model }: ReadContract): ContractModel {
  return { ...model, operations: [], webhooks: [], callbacks: [] };
}

/** A change of a webhook or a callback. If the service sends it, the server is the sender. */
function ofCallback({ client, server, ...change }: Change, isSent: boolean): Change {
  const [sender, receiver] = [withOwnPath(client), withOwnPath(server)];
  return { ...change, client: isSent ? receiver : sender, server: isSent ? sender : receiver };
}

/** The receiver of a webhook or a callback chooses its path, so its name is shown instead. */
function withOwnPath({ witness, ...verdict }: Verdict): Verdict {
  if (witness === undefined) return verdict;
  if (!('request' in witness)) return { ...verdict, witness };
  const [path = '/'] = /^\/[^/]*/.exec(witness.request.path) ?? [];
  return { ...verdict, witness: { ...witness, request: { ...witness.request, path } } };
}

/** A request that the service sends, and the operation that its receiver serves. */
interface Sent {
  readonly outgoing: ContractModel['webhooks'][number];
  readonly served: OperationModel;
}

/**
 * The contract of each round of requests: the operations, then webhooks and the callbacks of operations, then the callbacks of
 * those, and so on. The direction of the requests alternates between rounds.
 */
function roundsOf({ loaded, model }: ReadContract): readonly ContractModel[] {
  const nothingSent = { webhooks: [], callbacks: [], callbackItems: {} };
  const rounds: ContractModel[] = [{ ...model, ...nothingSent }];
  const isSecured = ({ pointer }: OperationModel): boolean =>
    'security' in (resolvePointer(loaded.document, pointer) as object);
  const ids = new Set<string>();
  const sentAs = (outgoing: Sent['outgoing'], ...names: readonly string[]): Sent => ({
    outgoing,
    served: {
      ...outgoing,
      id: freeName(outgoing.id, ids),
      path: names.map((name) => `/${encodeURIComponent(name)}`).join(''),
      // The security of the document applies to requests of its clients, and not to requests that the service sends them.
      security: isSecured(outgoing) ? outgoing.security : [],
    },
  });
  const callbacksOf = (owner: OperationModel, label: string): readonly Sent[] =>
    owner.callbacks.flatMap(({ name, url }) =>
      model.callbacks
        .filter(({ path }) => path === `${owner.id}.${name} ${url}`)
        .map((each) => sentAs(each, name, url, label)),
    );
  let sent: readonly Sent[] = [
    ...model.webhooks.map((each) => sentAs(each, each.path)),
    ...model.operations.flatMap((each) => callbacksOf(each, keyOf(each))),
  ];
  while (sent.length > 0) {
    rounds.push({ ...model, ...nothingSent, operations: sent.map(({ served }) => served) });
    ids.clear();
    sent = sent.flatMap(({ outgoing, served }) => callbacksOf(outgoing, labelOf(served)));
  }
  return rounds;
}
