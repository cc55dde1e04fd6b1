/** Writes the report of a verification for people. */

import type { VerifyReport, Violation } from './run/verify-report.js';

export function verifyText(report: VerifyReport, hasColours: boolean): string {
  const { operations, violations, unverified, url, seed, requests, isComplete } = report;
  const isViolation = ({ isWarning }: Violation): boolean => !isWarning;
  const unsent = new Set(unverified.map(({ id }) => id));
  const silent = operations
    .filter(({ id, successes }) => successes === 0 && !unsent.has(id))
    .map(({ name }) => name);
  const count = violations.filter(isViolation).length;
  const warnings = violations.length - count;
  return [
    ...violations.map((each) => `${violationText(each, hasColours)}\n`),
    `${url}: ${plural(requests, 'request')} to ${plural(operations.length, 'operation')}, seed ${String(seed)}: ${plural(count, 'violation')}, ${plural(warnings, 'warning')}.`,
    ...(isComplete ? [] : ['The budget ended before all requests were sent.']),
    ...(silent.length > 0 ? [`Never answered by a success: ${silent.join(', ')}.`] : []),
    ...missingLines(unverified),
  ].join('\n');
}

/** One line per set of credentials that operations lack. */
function missingLines(unverified: VerifyReport['unverified']): readonly string[] {
  const byOptions = new Map<string, string[]>();
  for (const { name, missing } of unverified) {
    const options = optionsFor(missing);
    byOptions.set(options, [...(byOptions.get(options) ?? []), name]);
  }
  return [...byOptions].map(
    ([options, names]) => `Not verified: ${names.join(', ')}. A credential is missing: ${options}.`,
  );
}

/** `--credential token=… or --credential id=… and --credential secret=…` */
function optionsFor(missing: readonly (readonly string[])[]): string {
  const all = missing.map((schemes) => schemes.map((scheme) => `--credential ${scheme}=…`).join(' and '));
  return all.join(' or ');
}

function violationText(violation: Violation, hasColours: boolean): string {
  const { rule, isWarning, operation, about, message, count, curl, answer } = violation;
  const colour = isWarning ? 33 : 31;
  const title = isWarning ? `warning ${rule}` : rule;
  const shown = hasColours ? `\u001b[${String(colour)}m${title}\u001b[39m` : title;
  return [
    `${shown}: ${operation}: ${about}: ${message}${count > 1 ? ` (${String(count)} times)` : ''}`,
    ...curl.map((line) => `  ${line}`),
    ...(answer === undefined || answer.text === '' ? [] : [`  ${String(answer.status)} ${answer.text}`]),
  ].join('\n');
}

function plural(count: number, noun: string): string {
  return `${String(count)} ${noun}${count === 1 ? '' : 's'}`;
}
