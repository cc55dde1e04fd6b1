/** The breaking changes that a project accepts for a while: `concordat.json` names them, with a reason and an end. */

import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isObject, parsedJson } from '@concordat/runtime/parts';
import { usageFailure } from '@concordat/runtime/terminal';
import type { Change } from './change/change.js';
import { compareVersions, isPast } from './change/rules.js';
import type { ContractDiff } from './diff.js';

/** The path of the project's `concordat.json`: beside the new contract if that is a file, and otherwise in the working directory. */
export function acceptedFile({ new: contract }: Pick<ContractDiff, 'new'>): string {
  return join(existsSync(contract) ? dirname(contract) : '.', 'concordat.json');
}

/** An entry of its list `accepted`. What it says beside the fingerprint, the reason and the end is for people who read it. */
export interface AcceptedBreak {
  readonly fingerprint: string;
  readonly rule: string;
  readonly operations: readonly string[];
  readonly change: string;
  readonly reason: string;
  /** The last day, such as `2027-03-01`. */
  readonly until?: string;
  /** The first version in which the change is a break again. */
  readonly 'until-version'?: string;
}

/** When an acceptance ends: by a day, or by a version of the contract. */
export type End = Pick<AcceptedBreak, 'until' | 'until-version'>;

/** How a version is written that ends an acceptance. */
const VERSION = /^v?\d+(?:\.\d+){0,2}$/;

/** @throws CommandFailure for an end that is neither a day that is still to come, nor a version */
export function endOf(text: string, now: Date): End {
  if (/^\d{4}-\d\d-\d\d$/.test(text)) {
    if (!isDay(text)) throw usageFailure(`${text} is no day of the calendar`);
    if (isPast(text, now)) throw usageFailure(`--until ${text} is over`);
    return { until: text };
  }
  if (VERSION.test(text)) return { 'until-version': text };
  throw usageFailure(`--until is a day or a version, such as 2027-03-01 or 3.0.0: ${text}`);
}

/** Names the end of an acceptance: `until 2027-03-01`, `until version 3.0.0`. */
export function endText({ until, 'until-version': version }: End): string {
  return until === undefined ? `until version ${String(version)}` : `until ${until}`;
}

/** @returns no entries if there is no file @throws CommandFailure for a file that has other contents */
export function readAccepted(file: string): readonly AcceptedBreak[] {
  const { accepted = [] } = readProject(file);
  if (!Array.isArray(accepted)) throw usageFailure(`"accepted" of ${file} must be a list`);
  accepted.forEach((entry: unknown, index) => {
    const fault = faultOf(entry);
    if (fault !== undefined) throw usageFailure(`accepted[${index}] of ${file} ${fault}`);
  });
  return accepted as readonly AcceptedBreak[]; // `faultOf` has found nothing
}

function readProject(file: string): Readonly<Record<string, unknown>> {
  if (!existsSync(file)) return {};
  const project = parsedJson(readFileSync(file, 'utf8'));
  if (project === undefined) throw usageFailure(`${file} is not JSON`);
  if (!isObject(project)) throw usageFailure(`${file} is no object`);
  return project;
}

/** The first fault of an entry, to be read after its name; undefined if it has none. */
function faultOf(entry: unknown): string | undefined {
  if (!isObject(entry)) return 'must be an object';
  const { fingerprint, rule, operations, change, reason, until, 'until-version': version, ...others } = entry;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) return `has an unknown member "${unknown}"`;
  if (typeof fingerprint !== 'string') return 'has no "fingerprint"';
  if (typeof reason !== 'string' || reason.trim() === '') return 'has no "reason"';
  if (typeof rule !== 'string' || typeof change !== 'string' || !Array.isArray(operations))
    return 'must have the "rule", the "operations" and the "change" that the command wrote';
  if ((until === undefined) === (version === undefined)) return 'must have either "until" or "until-version"';
  if (until !== undefined && !(typeof until === 'string' && isDay(until)))
    return 'has an "until" that is no day, such as 2027-03-01';
  if (version !== undefined && !(typeof version === 'string' && VERSION.test(version)))
    return 'has an "until-version" that is no version, such as 3.0.0';
  return undefined;
}

/** Adds entries for changes, in place of earlier entries for the same. Other members of the file stay as they are. */
export function writeAccepted(file: string, changes: readonly Change[], reason: string, end: End): void {
  const added = changes.map((change) => ({
    fingerprint: fingerprintOf(change),
    rule: change.kind,
    operations: change.operations,
    change: change.message,
    reason,
    ...end,
  }));
  const isAdded = new Set(added.map(({ fingerprint }) => fingerprint));
  const kept = readAccepted(file).filter(({ fingerprint }) => !isAdded.has(fingerprint));
  const project = { ...readProject(file), accepted: [...kept, ...added] };
  writeFileSync(file, `${JSON.stringify(project, undefined, 2)}\n`);
}

/** Marks the changes that are accepted. */
export function withAccepted(diff: ContractDiff, now: Date): ContractDiff {
  const known = new Map(readAccepted(acceptedFile(diff)).map((entry) => [entry.fingerprint, entry]));
  const changes = diff.changes.map((change): Change => {
    const entry = known.get(fingerprintOf(change));
    if (entry === undefined) return change;
    const isOver = hasCome(entry, diff, now);
    return { ...change, accepted: { reason: entry.reason, end: endText(entry), isOver } };
  });
  return { ...diff, changes };
}

/** Whether the contracts that are compared are at or after an end. */
export function hasCome(
  { until, 'until-version': version }: End,
  { version: versions }: ContractDiff,
  now: Date,
): boolean {
  if (until !== undefined) return isPast(until, now);
  return versions !== undefined && compareVersions(versions.new, String(version)) >= 0;
}

/** By file, a sentence for each entry whose change none of the comparisons of the contracts beside it has found. */
export function needlessEntries(diffs: readonly ContractDiff[]): Map<string, readonly string[]> {
  const found = new Set(diffs.flatMap(({ changes }) => changes.map(fingerprintOf)));
  const sentencesOf = (file: string): readonly string[] =>
    readAccepted(file)
      .filter(({ fingerprint }) => !found.has(fingerprint))
      .map(
        ({ operations: [operation], change }) =>
          `${file} accepts a change that is not there: ${operation === undefined ? '' : `${operation}: `}${change}`,
      );
  return new Map(diffs.map(acceptedFile).map((file) => [file, sentencesOf(file)]));
}

/**
 * The same for the same change of the same operations, also after other parts of the documents have moved. A further restriction of the
 * same place is another change, because the message has the values.
 */
export function fingerprintOf({ kind, message, operations, old, new: next }: Change): string {
  const pointers = [old, next].map((place) =>
    place?.pointer.replaceAll(/\/(parameters|servers)\/\d+/g, '/$1'),
  );
  return createHash('sha256')
    .update(JSON.stringify([kind, message, operations.toSorted(), ...pointers]))
    .digest('hex')
    .slice(0, 16);
}

function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
