/** Writes changes for people: the report of a comparison or a list of all changes, as text, and as findings for other programs and pull requests. */

import { type Change, type Severity, type Side, type Verdict, SEVERITIES, SIDES } from './change/change.js';
import { type Finding, counted, findingsMarkdown } from '@concordat/runtime/terminal';
import { describeProblem } from 'concordat/contract';
import type { Place } from '../running/wire-request.js';
import { useText } from '../usage/usage-file.js';
import type { ContractDiff } from './diff.js';
import { AUDIENCE, proofOf } from './proof-text.js';
import { type Row, type Section, removalsFirst, reportOf, rowsOf, sectionOf } from './report.js';

const COLOURS: Readonly<Record<Severity, number>> = { breaking: 31, dangerous: 33, info: 36, safe: 32 };

/** The most rows of a section that a report has, and the most of them with their proofs. */
const MOST_ROWS: Readonly<Record<Section['about'], readonly [rows: number, proofs: number]>> = {
  breaks: [15, 4],
  doubts: [8, 2],
  duties: [8, 1],
};

/** Longer lines of a proof are cut in a report. */
const WIDEST = 160;

interface TextOptions {
  /** Whether severities are coloured, as on a terminal. */
  readonly hasColours: boolean;
  /** Whether each change has its paragraph, also one that breaks nothing. */
  readonly all?: boolean | undefined;
}

export function diffText(diff: ContractDiff, { hasColours, all = false }: TextOptions): string {
  const paint = (severity: Severity, text: string): string =>
    hasColours ? `\u001b[${COLOURS[severity]}m${text}\u001b[39m` : text;
  const verdictOf = (change: Change, sides = SIDES): string =>
    verdicts(change, sides)
      .map(([severity, text]) => paint(severity, text))
      .join(', ') + acceptanceOf(change);
  if (all) {
    const paragraphs = worstFirst(diff.changes).map((change) =>
      [`${verdictOf(change)}: ${titleOf(change)}`, ...detailsOf(change, SIDES)].join('\n'),
    );
    return [headingOf(diff), ...paragraphs, ...summaryOf(diff)].join('\n\n');
  }
  const { kinds, sections, rest } = reportOf(diff.changes);
  const written = sections.map(({ title, about, rows }) => {
    const [most, proofs] = MOST_ROWS[about];
    const side: Side = about === 'duties' ? 'server' : 'client';
    const shown = rows.slice(0, most).map((row, index) => {
      const verdict = about === 'duties' ? '' : `${verdictOf(row.first, ['client'])}: `;
      const details =
        index < proofs
          ? [...detailsOf(row.first, [side]), ...reachedBy(row)]
          : useOf(row.first).map((line) => `  ${line}`);
      return [`${verdict}${rowTitle(row)}`, ...details.map(cut)].join('\n');
    });
    const isLong = rows.length > most;
    return [`${title} (${rows.length})`, ...shown, ...(isLong ? [moreRows(rows.length - most)] : [])];
  });
  const summary = [
    ...summaryOf(diff),
    ...(kinds.length > 0 ? [kinds.map((kind) => `  ${kind}`).join('\n')] : []),
  ];
  const end = rest === undefined ? [] : [rest];
  return [headingOf(diff), ...summary, ...written.map(spaced), ...end].join('\n\n');
}

/** A section, with an empty line around each row that has more than one line. */
function spaced([title = '', ...rows]: readonly string[]): string {
  const lines = rows.map((row, index) => {
    const isApart = index === 0 || row.includes('\n') || rows[index - 1]?.includes('\n') === true;
    return isApart ? `\n${row}` : row;
  });
  return [title, ...lines].join('\n');
}

function moreRows(count: number): string {
  return `and ${counted(count, 'further row', 'further rows')}: --all lists the changes.`;
}

function cut(line: string): string {
  return line.length > WIDEST ? `${line.slice(0, WIDEST - 1)}…` : line;
}

/** The indented lines below the title of a change. */
function detailsOf(change: Change, sides: readonly Side[]): readonly string[] {
  return [
    placesOf(change),
    ...useOf(change),
    ...(change.accepted === undefined ? [] : [`accepted because: ${change.accepted.reason}`]),
    ...sides.flatMap((side) => proofOf(change[side], side)),
  ].map((line) => `  ${line}`);
}

function useOf({ usage }: Change): readonly string[] {
  return usage === undefined ? [] : [useText(usage)];
}

function rowTitle({ first, others, component, operations }: Row): string {
  const where = component === undefined ? 'elsewhere' : `in ${component}`;
  return `${titleOf({ ...first, operations })}${others === 0 ? '' : `, and ${others} more of this kind ${where}`}`;
}

/** The operations of a row that its title does not name. */
function reachedBy({ operations: [, ...others] }: Row): readonly string[] {
  return others.length === 0 ? [] : [`  also in ${others.join(', ')}`];
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
 * @param all - whether each change has its own, also one that breaks nothing
 */
export function diffFindings(
  diff: ContractDiff,
  refused: ReadonlySet<Change>,
  all = false,
): readonly Finding[] {
  const known = worstFirst(diff.changes).filter(
    ({ client, server }) => all || client.severity !== 'safe' || server.severity !== 'safe',
  );
  // Changes that fail are apart from those that do not.
  const groups = all
    ? known.map((change) => [change])
    : [true, false].map((isRefused) => known.filter((change) => refused.has(change) === isRefused));
  const rows = groups.flatMap(rowsOf);
  return rows.map((row) => {
    const { kind, old, new: next, usage } = row.first;
    const isRefused = refused.has(row.first);
    const section = sectionOf(row.first);
    const isDuty = section === 'duties' && !isRefused;
    const verdict = isDuty
      ? 'a server of the new version must follow'
      : verdicts(row.first)
          .map(([, text]) => text)
          .join(', ') + acceptanceOf(row.first);
    const proofs = SIDES.map((side) => proofOf(row.first[side], side));
    const proof = proofs.flat();
    const tags = [...new Set(row.operations.flatMap((each) => diff.tags?.get(each) ?? []))];
    const more = row.others === 0 ? '' : `, and ${row.others} more of this kind`;
    return {
      rule: kind,
      level: isRefused ? 'error' : section === undefined || isDuty ? 'note' : 'warning',
      message: `${verdict}: ${row.first.message}${more}${usage === undefined ? '' : `, ${useText(usage)}`}`,
      about: row.operations.length === 0 ? diff.new : row.operations.join(', '),
      place: next?.line === undefined ? (old ?? next) : next,
      places: [old ?? [], next ?? []].flat(),
      tags,
      ...(proof.length > 0 && {
        details: proof.join('\n'),
        exhibits: proofs.flatMap((lines, index) => {
          const title = `Proof for ${AUDIENCE[SIDES[index] ?? 'client']}`;
          return lines.length === 0 ? [] : [{ title, text: lines.join('\n') }];
        }),
      }),
    };
  });
}

/** The worst for clients first, then the worst for servers. */
function worstFirst(changes: readonly Change[]): readonly Change[] {
  const rank = (change: Change, side: Side): number => SEVERITIES.indexOf(change[side].severity);
  return removalsFirst(changes).toSorted(
    (a, b) => rank(a, 'client') - rank(b, 'client') || rank(a, 'server') - rank(b, 'server'),
  );
}

/** `breaking for clients`, `dangerous for servers`; only `safe` or `info` if that applies to both sides. */
function verdicts({ client, server }: Change, shown = SIDES): readonly (readonly [Severity, string])[] {
  const { severity } = client;
  if (severity === server.severity && (severity === 'safe' || severity === 'info'))
    return [[severity, severity]];
  const sides = [['client', client] as const, ['server', server] as const];
  return sides
    .filter(([side, verdict]) => verdict.severity !== 'safe' && shown.includes(side))
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
  return `${first}${others.length === 0 ? '' : ` and ${others.length} more`}: ${message}`;
}

/** Writes the pointer once if it is the same in both versions. */
export function placesOf({ old, new: next }: Change): string {
  if (old === undefined || next === undefined || old.pointer !== next.pointer)
    return [old, next].map((place) => (place === undefined ? 'absent' : placeText(place))).join(' → ');
  return `${lineText(old)} → ${placeText(next)}`;
}

function placeText(place: Place): string {
  return `${lineText(place)} ${place.pointer}`.trimEnd();
}

function lineText({ file, line }: Place): string {
  return `${file}${line === undefined ? '' : `:${line}`}`;
}

/** The number of changes of each severity per side, and whether the new version number allows breaking changes. */
export function summaryOf({ changes, version, oldFaults = [] }: ContractDiff): readonly string[] {
  const faults = oldFaults.map(describeProblem).join('\n');
  const notes =
    faults === '' ? [] : [`The old version has faults, and is compared without these parts:\n${faults}`];
  if (changes.length === 0) return [...notes, 'No change that matters.'];
  const counts = SIDES.map((side) => {
    const numbers = SEVERITIES.map((severity) => {
      const those = changes.filter((change) => change[side].severity === severity);
      const unproven = those.filter((change) => change[side].unproven === true).length;
      return `${those.length} ${severity}${unproven === 0 ? '' : ` (${unproven} unproven)`}`;
    });
    return `For ${AUDIENCE[side]}: ${numbers.join(', ')}.`;
  });
  const breaks = changes.some(({ client }) => client.severity === 'breaking');
  if (!breaks || version === undefined) return [...notes, counts.join('\n')];
  // Semantic Versioning §4.
  const isUnstable = [version.old, version.new].every((each) => /^v?0(?:\.|$)/.test(each));
  const rule = version.mayBreak
    ? `Version ${version.new} may break clients of ${version.old}.`
    : `Version ${version.new} must not break clients of ${version.old}: a breaking change needs a new ${isUnstable ? 'minor' : 'major'} version in info.version.`;
  return [...notes, [...counts, rule].join('\n')];
}

/** The findings as Markdown for a pull request. @param about - begins the heading */
export function diffMarkdown(diff: ContractDiff, findings: readonly Finding[], about: string): string {
  const heading = `## ${about}${headingOf(diff)}`;
  return [heading, ...summaryOf(diff), ...findingsMarkdown(findings)].join('\n\n');
}
