/** Changes parts of a text, given by their positions. */

export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** @param edits - in any order; they do not overlap */
export function edited(text: string, edits: readonly Edit[]): string {
  const inOrder = edits.toSorted((a, b) => a.start - b.start || a.end - b.end);
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, text: part } of inOrder) {
    parts.push(text.slice(at, start), part);
    at = end;
  }
  return [...parts, text.slice(at)].join('');
}
