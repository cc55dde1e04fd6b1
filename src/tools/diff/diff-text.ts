/** Writes changes for people, the worst first: a paragraph for each, or Markdown for a pull request. */

import {
  type Change,
  type Severity,
  type Side,
  type Verdict,
  type Witness,
  SEVERITIES,
  SIDES,
} from './change/change.js';
import { type Finding, htmlText } from '@concordat/runtime/terminal';
import type { ContractBreak } from 'concordat/contract';
import type { Place } from '../running/wire-request.js';
import { useText } from '../usage/usage-file.js';
import type { ContractDiff } from './diff.js';

const AUDIENCE: Readonly<Record<Side, string>> = { client: 'clients', server: 'servers' };

const COLOURS: Readonly<Record<Severity, number>> = { breaking: 31, dangerous: 33, info: 36, safe: 32 };

/** @param hasColours - whether severities are coloured, as on a terminal */
export function diffText(diff: ContractDiff, hasColours: boolean): string {
  const { changes } = diff;
  const paint = (severity: Severity, text: string): string =>
    hasColours ? `\u001b[${String(COLOURS[severity])}m${text}\u001b[39m` : text;
  const paragraphs = worstFirst(changes).map((change) =>
    [
      `${verdicts(change)
        .map(([severity, text]) => paint(severity, text))
        .join(', ')}${acceptanceOf(change)}: ${titleOf(change)}`,
      `  ${placesOf(change)}`,
      ...(change.usage === undefined ? [] : [`  ${useText(change.usage)}`]),
      ...(change.accepted === undefined ? [] : [`  accepted because: ${change.accepted.reason}`]),
      ...SIDES.flatMap((side) => proofOf(change[side], side)).map((line) => `  ${line}`),
    ].join('\n'),
  );
  return [headingOf(diff), ...paragraphs, ...summaryOf(diff)].join('\n\n');
}

/** `main:openapi.yaml → openapi.yaml, version 1 → 1.1`. */
export function headingOf({ old, new: next, version }: ContractDiff): string {
  const versions = version === undefined ? '' : `, version ${version.old} → ${version.new}`;
  return `${old} → ${next}${versions}`;
}

/**
 * The changes that matter to one side, for the report of another program. Each is at its place in the new version, or in the old one
 * if it is gone.
 *
 * @param refused - the changes that make the command fail
 */
export function diffFindings(diff: ContractDiff, refused: ReadonlySet<Change>): readonly Finding[] {
  return worstFirst(diff.changes)
    .filter(({ client, server }) => client.severity !== 'safe' || server.severity !== 'safe')
    .map((change) => {
      const { kind, message, old, new: next, client, server, usage } = change;
      const severities = [client.severity, server.severity];
      const isDangerous = !severities.includes('breaking') && severities.includes('dangerous');
      const verdict =
        verdicts(change)
          .map(([, text]) => text)
          .join(', ') + acceptanceOf(change);
      const proof = SIDES.flatMap((side) => proofOf(change[side], side));
      return {
        rule: kind,
        level: refused.has(change) ? 'error' : isDangerous ? 'warning' : 'note',
        message: `${verdict}: ${message}${usage === undefined ? '' : `, ${useText(usage)}`}`,
        about: change.operations.length === 0 ? diff.new : change.operations.join(', '),
        place: next?.line === undefined ? (old ?? next) : next,
        ...(proof.length > 0 && { details: proof.join('\n') }),
      };
    });
}

/** What breaks clients of the old version, and a conversion can mend, by operation. A proof that is shown already is referred to. */
export function breaksOf(changes: readonly Change[]): ReadonlyMap<string, readonly ContractBreak[]> {
  const breaks = new Map<string, ContractBreak[]>();
  const shown = new Map<string, string>();
  for (const { kind, message, operations, client } of changes) {
    const { severity, witness } = client;
    if (severity !== 'breaking' || kind === 'security-changed' || kind === 'operation-removed') continue;
    const isResponse = witness === undefined ? /^(?:response|status)-/.test(kind) : 'response' in witness;
    const lines = proofOf(client, 'client');
    for (const operation of operations) {
      const earlier = shown.get(lines.join('\n'));
      shown.set(lines.join('\n'), earlier ?? operation);
      const proof = earlier === undefined ? lines : [`as ${earlier === operation ? 'above' : earlier} shows`];
      const found = { part: isResponse ? 'response' : 'request', message, proof } as const;
      breaks.set(operation, [...(breaks.get(operation) ?? []), found]);
    }
  }
  return breaks;
}

/** The worst for clients first, then the worst for servers. */
function worstFirst(changes: readonly Change[]): readonly Change[] {
  const rank = (change: Change, side: Side): number => SEVERITIES.indexOf(change[side].severity);
  return changes.toSorted(
    (a, b) => rank(a, 'client') - rank(b, 'client') || rank(a, 'server') - rank(b, 'server'),
  );
}

/** `breaking for clients`, `dangerous for servers`; only `safe` or `info` if that applies to both sides. */
function verdicts({ client, server }: Change): readonly (readonly [Severity, string])[] {
  const { severity } = client;
  if (severity === server.severity && (severity === 'safe' || severity === 'info'))
    return [[severity, severity]];
  const sides = [['client', client] as const, ['server', server] as const];
  return sides
    .filter(([, verdict]) => verdict.severity !== 'safe')
    .map(([side, verdict]) => [verdict.severity, `${severityOf(verdict)} for ${AUDIENCE[side]}`]);
}

/** `, accepted until 2027-03-01`, and whether that is over. */
function acceptanceOf({ accepted }: Change): string {
  if (accepted === undefined) return '';
  return `, accepted ${accepted.end}${accepted.isOver ? ', which has come' : ''}`;
}

function severityOf({ severity, unproven }: Verdict): string {
  return unproven === true ? `${severity}, unproven` : severity;
}

export function titleOf({ operations, message }: Change): string {
  const [first, ...others] = operations;
  if (first === undefined) return message;
  return `${first}${others.length === 0 ? '' : ` and ${String(others.length)} more`}: ${message}`;
}

/** Writes the pointer once if it is the same in both versions. */
export function placesOf({ old, new: next }: Change): string {
  if (old === undefined || next === undefined || old.pointer !== next.pointer) {
    return [old, next].map((place) => (place === undefined ? 'absent' : placeText(place))).join(' → ');
  }
  return `${lineText(old)} → ${placeText(next)}`;
}

function placeText(place: Place): string {
  return `${lineText(place)} ${place.pointer}`.trimEnd();
}

function lineText({ file, line }: Place): string {
  return `${file}${line === undefined ? '' : `:${String(line)}`}`;
}

function proofOf({ severity, reason, witness }: Verdict, side: Side): readonly string[] {
  return [
    ...(reason === undefined || severity === 'info' ? [] : [`${AUDIENCE[side]}: ${reason}`]),
    ...(witness === undefined || severity !== 'breaking' ? [] : witnessLines(witness)),
  ];
}

/** The message, and the reason why the other version refuses it. */
function witnessLines(witness: Witness): readonly string[] {
  const { takenBy, refusedBy, refusal } = witness;
  return [
    `the ${takenBy} version ${'request' in witness || ('document' in witness && witness.data === undefined) ? 'takes' : 'gives'}`,
    ...messageLines(witness).map((line) => `  ${line}`),
    `the ${refusedBy} version refuses it: ${refusal}`,
  ];
}

function messageLines(witness: Witness): readonly string[] {
  if ('document' in witness) {
    return [witness.document, ...(witness.data === undefined ? [] : [JSON.stringify(witness.data)])];
  }
  if ('request' in witness) {
    const { method, path, query, headers, body } = witness.request;
    const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    return [`${method} ${path}${query === '' ? '' : `?${query}`}`, ...fields, ...(body?.split('\r\n') ?? [])];
  }
  const { operation, status, headers, contentType, body } = witness.response;
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return [
    `${operation} → ${String(status)}`,
    ...fields,
    ...(contentType === undefined ? [] : [`content-type: ${contentType}`, JSON.stringify(body)]),
  ];
}

/** The number of changes of each severity per side, and whether the new version number allows breaking changes. */
export function summaryOf({ changes, version }: ContractDiff): readonly string[] {
  if (changes.length === 0) return ['No change that matters.'];
  const counts = SIDES.map((side) => {
    const numbers = SEVERITIES.map((severity) => {
      const those = changes.filter((change) => change[side].severity === severity);
      const unproven = those.filter((change) => change[side].unproven === true).length;
      return `${String(those.length)} ${severity}${unproven === 0 ? '' : ` (${String(unproven)} unproven)`}`;
    });
    return `For ${AUDIENCE[side]}: ${numbers.join(', ')}.`;
  });
  const breaks = changes.some(({ client }) => client.severity === 'breaking');
  if (!breaks || version === undefined) return [counts.join('\n')];
  // Semantic Versioning §4.
  const isUnstable = [version.old, version.new].every((each) => /^v?0(?:\.|$)/.test(each));
  const rule = version.mayBreak
    ? `Version ${version.new} may break clients of ${version.old}.`
    : `Version ${version.new} must not break clients of ${version.old}: a breaking change needs a new ${isUnstable ? 'minor' : 'major'} version in info.version.`;
  return [[...counts, rule].join('\n')];
}

export function diffMarkdown(diff: ContractDiff, about = ''): string {
  const changes = worstFirst(diff.changes);
  const rows = changes.map(
    (change) =>
      `| ${verdictCell(change.client)} | ${verdictCell(change.server)} | ${cell(titleOf(change) + acceptanceOf(change) + (change.usage === undefined ? '' : `, ${useText(change.usage)}`))} | ${cell(placesOf(change))} |`,
  );
  const table =
    rows.length === 0
      ? []
      : [['| For clients | For servers | Change | Place |', '| --- | --- | --- | --- |', ...rows].join('\n')];
  const proofs = changes.flatMap((change) => proofsOf(change));
  return [`## ${about}${headingOf(diff)}`, ...summaryOf(diff), ...table, ...proofs].join('\n\n');
}

function verdictCell(verdict: Verdict): string {
  const { severity, reason } = verdict;
  const name = severity === 'breaking' ? `**${severityOf(verdict)}**` : severity;
  return reason === undefined ? name : `${name}: ${cell(reason)}`;
}

function proofsOf(change: Change): readonly string[] {
  return SIDES.flatMap((side) => {
    const { severity, witness } = change[side];
    if (severity !== 'breaking' || witness === undefined) return [];
    const summary = `<summary>Breaks ${AUDIENCE[side]}: ${htmlText(titleOf(change))}</summary>`;
    return [`<details>${summary}\n\n~~~\n${witnessLines(witness).join('\n')}\n~~~\n\n</details>`];
  });
}

/** Escapes the text of a table cell, which is one line, and in which a bar would start the next cell. */
function cell(text: string): string {
  return htmlText(text.replaceAll('|', '\\|').replaceAll('\n', ' '));
}
