/** Writes changes in Markdown, for the description or a comment of a pull request. */

import type { Change, Verdict } from '../../diff/change/change.js';
import { SIDES } from '../../diff/change/change.js';
import type { ContractDiff } from '../../diff/diff.js';
import { AUDIENCE, headingOf, placesOf, summaryOf, titleOf, witnessLines, worstFirst } from './diff-text.js';

export function diffMarkdown(diff: ContractDiff): string {
  const changes = worstFirst(diff.changes);
  const rows = changes.map(
    (change) =>
      `| ${verdictCell(change.client)} | ${verdictCell(change.server)} | ${cell(titleOf(change))} | ${cell(placesOf(change))} |`,
  );
  const table =
    rows.length === 0
      ? []
      : [['| For clients | For servers | Change | Place |', '| --- | --- | --- | --- |', ...rows].join('\n')];
  const proofs = changes.flatMap((change) => proofsOf(change));
  return [`## ${headingOf(diff)}`, ...summaryOf(diff), ...table, ...proofs].join('\n\n');
}

function verdictCell({ severity, reason }: Verdict): string {
  const name = severity === 'breaking' ? '**breaking**' : severity;
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

/** A cell is one line, in which a bar would start the next cell. */
function cell(text: string): string {
  return htmlText(text.replaceAll('|', '\\|').replaceAll('\n', ' '));
}

function htmlText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
