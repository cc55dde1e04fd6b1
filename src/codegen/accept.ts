/** Holds the gaps that were found against those that the config accepts. */

import type { Gap } from './gap.js';

/**
 * Stops generation unless every gap is accepted and every acceptance is needed.
 *
 * @param accepted - gap codes (`unknown-format`), or a code at one place (`unknown-format at #/components/schemas/A/format`)
 * @throws an error with a line for each gap that is not accepted and each acceptance that matched nothing
 */
export function requireAccepted(contract: string, gaps: readonly Gap[], accepted: readonly string[]): void {
  const keysOf = (gap: Gap): readonly string[] => [gap.code, `${gap.code} at ${gap.at}`];
  const open = gaps.filter((gap) => !keysOf(gap).some((key) => accepted.includes(key)));
  const met = new Set(gaps.flatMap(keysOf));
  const unused = accepted.filter((key) => !met.has(key));
  const lines = [
    ...new Set(open.map(({ code, at, message }) => `  ${at}: ${message} (${code})`)),
    ...unused.map((key) => `  accepted, but never met: ${key}`),
  ];
  if (lines.length === 0) return;
  const advice =
    open.length === 0 ? 'take back what is not needed' : 'change the contract, or accept the gap by its code';
  throw new Error([`${contract}: ${advice}:`, ...lines].join('\n'));
}
